/** Pages of the documentation and games to copy, by the names of their files: the build script makes the module. */
export const TEXTS: Record<string, string>;
