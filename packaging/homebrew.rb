# Untested: written from Homebrew's documentation. packaging/manifests fills in version and hashes.
class Enfilade < Formula
  desc "Exact odds, simulation and point costs for tabletop wargames"
  homepage "https://enfilade.example/enfilade"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "https://enfilade.example/enfilade/releases/@VERSION@/enfilade-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256_AARCH64_APPLE_DARWIN@"
    end
    on_intel do
      url "https://enfilade.example/enfilade/releases/@VERSION@/enfilade-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256_X86_64_APPLE_DARWIN@"
    end
  end
  on_linux do
    url "https://enfilade.example/enfilade/releases/@VERSION@/enfilade-x86_64-unknown-linux-musl.tar.gz"
    sha256 "@SHA256_X86_64_UNKNOWN_LINUX_MUSL@"
  end

  def install
    bin.install "enfilade"
    generate_completions_from_executable(bin/"enfilade", "completions")
    system bin/"enfilade", "man", "--out", "man1"
    man1.install Dir["man1/*.1"]
  end

  test do
    assert_match "mean 3.5", shell_output("#{bin}/enfilade dice d6")
  end
end
