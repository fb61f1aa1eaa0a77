//! Sweeps: whatever is killed, repeated or cut, the bytes are those of one machine; and what is not
//! as it was written is refused by name.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use enfilade::report::shards::shard_file::{ShardReader, ShardWriter, write_under_hash_if_absent};
use enfilade::study::solve::build_answer::CellSolution;

use crate::desk::{Desk, Told};

/// 36 cells of the fire table.
const FILE: &str = "name = 'swept'\n[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [2, 8, 16]\n\
    drm = { from = -2, to = 3 }\n[contest.target]\nkind = 'squad'\nmorale = [6, 8]\n";

/// Six cells, for those who roll.
const FEW: &str = "name = 'swept'\n[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [2, 8]\n\
    drm = { from = 0, to = 2 }\ntarget = { kind = 'squad', morale = 7 }\n";

/// A second contest, which is too large for a thousand states.
const TOO_LARGE: &str = "[[contest]]\nname = 'crowd'\nsystem = 'd20'\naction = 'shoot'\n\
    damage_dice = 10\nfigures = 100\ntarget_figures = 100\ntargets_in_area = 20\n\
    targets_in_danger_zone = 20\nfirearms = 12\nspotted = true\nsaves = true\n";

/// Trials of two units of work, the second of them short.
const TWO_UNITS: &str = "17000000";

/// Every file below a folder by its name, without what says who wrote it and when.
fn told(desk: &Desk, folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let root = desk.path(folder);
    let files = desk.files(folder).into_iter().map(|(path, bytes)| {
        let name = path.strip_prefix(&root).expect("it is inside").to_owned();
        if !["json", "md", "html"].iter().any(|ending| name.extension() == Some(ending.as_ref())) {
            return (name, bytes);
        }
        let text = String::from_utf8(bytes).expect("it is text");
        let own = |line: &&str| {
            let words = ["\"command\"", "enfilade ", "\"started\"", "\"finished\"", "\"seconds\""];
            !words.iter().any(|word| line.contains(word))
        };
        (name, text.lines().filter(own).collect::<Vec<_>>().join("\n").into_bytes())
    });
    files.filter(|(name, _)| name != "manifest.json").collect()
}

fn parts(desk: &Desk) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(desk.path("parts"))
        .expect("it is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension() == Some("parquet".as_ref()))
        .collect();
    paths.sort();
    paths
}

fn done(told: Told) {
    assert_eq!(told.code, Some(0), "{told:?}");
}

/// A desk with all parts of five shards of exact numbers.
fn swept() -> Desk {
    let desk = Desk::with(FILE);
    done(desk.run(&["sweep", "plan", "x.toml", "--exact-only", "--cells-per-shard", "8"]));
    done(desk.run(&["sweep", "shard", "plan.json", "0-4", "--parts", "parts"]));
    desk
}

fn merge(desk: &Desk) -> Told {
    desk.run(&["sweep", "merge", "plan.json", "--parts", "parts", "--out", "merged"])
}

#[test]
fn every_way_to_cut_the_work_gives_the_same_bytes() {
    let desk = Desk::with(FEW);
    let trials = ["--trials", TWO_UNITS];
    done(desk.run(&[&["run", "x.toml", "--out", "one"], &trials[..]].concat()));
    let one = told(&desk, "one");
    assert!(one.iter().any(|(name, _)| name == "cells.parquet"), "{one:?}");
    let cuts: [(&[&str], &[&str]); 3] = [
        (&["--shards", "1"], &["0"]),
        (&["--cells-per-shard", "2"], &["2", "0", "1", "0-2"]),
        (&["--cells-per-shard", "4", "--trials-per-shard", "10000000"], &["3", "0-2", "1"]),
    ];
    for (cut, orders) in cuts {
        done(desk.run(&[&["sweep", "plan", "x.toml"], cut, &trials].concat()));
        for order in orders {
            done(desk.run(&["sweep", "shard", "plan.json", order, "--parts", "parts", "-q"]));
        }
        done(merge(&desk));
        assert!(told(&desk, "merged") == one, "{cut:?}");
        fs::remove_dir_all(desk.path("parts")).expect("it is there");
    }
    done(desk.run(&[&["sweep", "run", "x.toml", "--out", "here"], &trials[..]].concat()));
    assert!(told(&desk, "here") == one && !desk.path("here.parts").exists());
}

#[test]
fn a_played_sweep_gives_the_same_bytes() {
    let desk = Desk::with(FEW);
    let how = ["--played", "--trials", "30000"];
    done(desk.run(&[&["run", "x.toml", "--out", "one"], &how[..]].concat()));
    done(desk.run(&[&["sweep", "plan", "x.toml", "--cells-per-shard", "4"], &how[..]].concat()));
    done(desk.run(&["sweep", "shard", "plan.json", "0-1", "--parts", "parts"]));
    done(merge(&desk));
    assert!(told(&desk, "merged") == told(&desk, "one"));
}

#[test]
fn a_shard_that_is_killed_again_and_again_leaves_nothing_or_a_whole_part() {
    let desk = Desk::with(FILE);
    done(desk.run(&["sweep", "plan", "x.toml", "--cells-per-shard", "2", "--trials", "2000000"]));
    let shard = ["sweep", "shard", "plan.json", "0-17", "--parts", "parts", "-q"];
    let status = || desk.run(&["sweep", "status", "plan.json", "--parts", "parts"]);
    fs::create_dir(desk.path("parts")).expect("made");
    for kill in 0..50_u64 {
        let running = desk.start(&shard);
        // Moments that no two kills share, from before the first part to after some.
        std::thread::sleep(Duration::from_millis(kill * 37 % 211));
        running.signal("-KILL");
        drop(running.ended());
        assert_ne!(status().code, Some(5), "kill {kill}");
    }
    done(desk.run(&shard));
    done(status());
    done(merge(&desk));
    done(desk.run(&["run", "x.toml", "--out", "one", "--trials", "2000000"]));
    assert!(told(&desk, "merged") == told(&desk, "one"));
}

#[test]
fn missing_parts_are_named_and_double_or_foreign_ones_refused() {
    let desk = swept();
    let all = parts(&desk);
    fs::rename(&all[3], desk.path("aside")).expect("renamed");
    merge(&desk).refused(4, "1 of 5 shards have no part: 3");
    let missing = desk.run(&["sweep", "status", "plan.json", "--parts", "parts", "--missing"]);
    assert_eq!((missing.code, missing.out.as_str()), (Some(0), "3"));
    // A part of the same shard under another name.
    let name = all[2].file_name().expect("a name").to_string_lossy().into_owned();
    let other = all[2].with_file_name(format!("{}0000000000000000.parquet", &name[..24]));
    fs::copy(&all[2], &other).expect("copied");
    merge(&desk).refused(5, "are both of shard 2");
    fs::remove_file(other).expect("removed");
    // A part of another plan.
    done(desk.run(&["sweep", "plan", "x.toml", "--exact-only", "--shards", "2", "--out", "p2"]));
    done(desk.run(&["sweep", "shard", "p2", "1", "--parts", "parts"]));
    merge(&desk).refused(5, "is of another plan");
}

#[test]
fn parts_that_are_not_as_they_were_written_are_refused_by_name_and_made_again() {
    type Harm = fn(&Desk, &PathBuf);
    let harms: [(&str, Harm); 4] = [
        ("truncated", |_, path| {
            let bytes = fs::read(path).expect("readable");
            fs::write(path, &bytes[..bytes.len() / 2]).expect("written");
        }),
        ("flipped", |_, path| {
            let mut bytes = fs::read(path).expect("readable");
            let middle = bytes.len() / 2;
            bytes[middle] ^= 4;
            fs::write(path, bytes).expect("written");
        }),
        ("another shard's", |desk, path| {
            fs::copy(&parts(desk)[2], path).expect("copied");
        }),
        ("empty", |_, path| fs::write(path, "").expect("written")),
    ];
    let desk = swept();
    let whole = fs::read(&parts(&desk)[1]).expect("readable");
    for (what, harm) in harms {
        let path = parts(&desk)[1].clone();
        harm(&desk, &path);
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        merge(&desk).refused(5, &name[..20]);
        let status = desk.run(&["sweep", "status", "plan.json", "--parts", "parts"]);
        assert_eq!(status.code, Some(5), "{what}");
        done(desk.run(&["sweep", "shard", "plan.json", "1", "--parts", "parts"]));
        assert!(fs::read(&parts(&desk)[1]).expect("readable") == whole, "{what}");
        done(merge(&desk));
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_no_part() {
    let desk = swept();
    let path = parts(&desk)[1].clone();
    fs::rename(&path, desk.path("aside")).expect("renamed");
    std::os::unix::fs::symlink(desk.path("aside"), &path).expect("a link");
    merge(&desk).refused(5, "is no plain file");
}

#[test]
fn a_plan_that_was_altered_or_made_elsewhere_is_refused() {
    let desk = swept();
    let plan = desk.read("plan.json");
    let cases = [
        ("\"plan\": 1", "\"plan\": 2", "is a plan of version 2, not 1"),
        ("\"build\": \"", "\"build\": \"0", "was planned by enfilade"),
        ("\"target\": \"", "\"target\": \"pdp11-", "was planned on pdp11-"),
        ("\"cells\": 36", "\"cells\": 35", "was altered since it was planned"),
        ("\"cells_per_shard\": 8", "\"cells_per_shard\": 9", "was altered since it was planned"),
        ("{", "", "is no plan of a sweep"),
    ];
    for (what, with, why) in cases {
        assert!(plan.contains(what), "{what}");
        desk.write("plan.json", &plan.replacen(what, with, 1));
        desk.run(&["sweep", "shard", "plan.json", "0", "--parts", "parts"]).refused(2, why);
        merge(&desk).refused(2, why);
    }
}

/// Machines whose bytes are known to be the same work on one sweep; the plan keeps saying where it
/// was made.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
fn a_plan_of_another_machine_that_gives_the_same_bytes_is_worked_on() {
    let desk = Desk::with(FILE);
    done(desk.run(&["sweep", "plan", "x.toml", "--exact-only", "--shards", "2"]));
    let own = format!("\"{}-{}\"", std::env::consts::ARCH, std::env::consts::OS);
    let plan = desk.read("plan.json");
    assert!(plan.contains(&own), "{own}");
    for other in ["x86_64-linux", "x86_64-windows", "aarch64-linux", "s390x-linux"] {
        desk.write("plan.json", &plan.replace(&own, &format!("\"{other}\"")));
        for shard in ["0", "1"] {
            done(desk.run(&["sweep", "shard", "plan.json", shard, "--parts", other]));
        }
        let out = format!("of-{other}");
        done(desk.run(&["sweep", "merge", "plan.json", "--parts", other, "--out", &out]));
    }
    desk.write("plan.json", &plan.replace(&own, "\"aarch64-macos\""));
    let refused = desk.run(&["sweep", "shard", "plan.json", "0", "--parts", "parts"]);
    refused.refused(2, "was planned on aarch64-macos, and this is");
}

#[test]
fn a_disk_that_is_full_is_an_error_and_leaves_no_part() {
    let desk = Desk::with(FILE);
    done(desk.run(&["sweep", "plan", "x.toml", "--exact-only", "--shards", "1"]));
    let limited = |blocks: &str| {
        let command = "exec \"$0\" sweep shard plan.json 0 --parts parts --quiet";
        let line = format!("ulimit -f {blocks}; {command}");
        let mut command = std::process::Command::new("bash");
        command.args(["-c", &line, env!("CARGO_BIN_EXE_enfilade")]);
        Told::of(command.current_dir(desk.folder.path()).output().expect("it starts"))
    };
    limited("2").refused(3, "File too large");
    assert_eq!(parts(&desk), Vec::<PathBuf>::new());
    done(limited("unlimited"));
    done(merge(&desk));
}

/// A cell that is too large is a row with a reason, and the others are answered.
#[test]
fn a_cell_without_an_answer_does_not_lose_the_others() {
    let desk = Desk::with(&format!("{FILE}{TOO_LARGE}"));
    let exact = ["x.toml", "--exact-only", "--states", "1000"];
    let whole = [&["run", "--out", "one"], &exact[..]].concat();
    desk.run(&whole).refused(4, "1 of 37 cells have no answer");
    let sweep = [&["sweep", "run", "--out", "here"], &exact[..]].concat();
    desk.run(&sweep).refused(4, "1 of 37 cells have no answer");
    let rows = desk.read("here/cells.csv");
    let last = rows.lines().last().expect("a row");
    assert!(last.contains("refused") && last.contains("crowd"), "{last}");
    assert_eq!(rows.lines().filter(|row| row.contains(",exact,")).count(), 36);
    done(desk.run(&[&sweep[..], &["--allow-errors", "--overwrite"]].concat()));
}

/// A part whose name is the hash of what somebody else put into it is still held against what was
/// asked.
#[test]
fn a_part_that_counts_wrongly_is_named_whatever_its_hash() {
    let desk = Desk::with(FEW);
    done(desk.run(&["sweep", "plan", "x.toml", "--trials", "1000", "--cells-per-shard", "3"]));
    done(desk.run(&["sweep", "shard", "plan.json", "0-1", "--parts", "parts"]));
    let status = desk.run(&["sweep", "status", "plan.json", "--parts", "parts", "--json"]);
    let status: serde_json::Value = serde_json::from_str(&status.out).expect("JSON");
    let plan = status["plan"].as_str().expect("its hash");
    let path = parts(&desk).swap_remove(0);
    let whole = fs::read(&path).expect("readable");
    type Lie = fn(&mut CellSolution);
    let lies: [(Lie, &str); 4] = [
        (
            |solution| solution.record.as_mut().expect("trials").endings[0].1 += 1,
            "it counts 1001 trials instead of 1000",
        ),
        (
            |solution| solution.record.as_mut().expect("trials").unsettled = u64::MAX,
            "trials instead of 1000",
        ),
        (
            |solution| solution.exact.as_mut().expect("a law").law.probabilities[0] += 0.01,
            "its chances add up to 1.0",
        ),
        (
            |solution| solution.exact.as_mut().expect("a law").law.unsettled = f64::NAN,
            "its chances add up to NaN",
        ),
    ];
    for (lie, why) in lies {
        let mut reader = ShardReader::open_shard_of_plan(&path, plan, 0).expect("it is sound");
        let mut found = reader.read_block(0).expect("it is a part");
        lie(found[1].solution.as_mut().expect("an answer"));
        let mut bytes = Vec::new();
        let mut part = ShardWriter::new(plan, 0, &mut bytes).expect("begun");
        part.add_cell_results(found).expect("added");
        let prefix = part.finish_returning_name_prefix().expect("made");
        fs::remove_file(&path).expect("removed");
        let forged =
            write_under_hash_if_absent(&desk.path("parts"), &prefix, &bytes).expect("written");
        let told = merge(&desk);
        told.refused(5, why);
        told.refused(5, "cell 1: ");
        fs::remove_file(forged).expect("removed");
        fs::write(&path, &whole).expect("written");
    }
    done(merge(&desk));
}

/// On a folder that colleagues share all of them can merge.
#[cfg(unix)]
#[test]
fn parts_are_read_by_whom_results_are() {
    use std::os::unix::fs::PermissionsExt;
    let desk = swept();
    done(merge(&desk));
    let mode =
        |path: &std::path::Path| fs::metadata(path).expect("it is there").permissions().mode();
    let results = mode(&desk.path("merged/cells.csv"));
    assert!(parts(&desk).iter().all(|part| mode(part) == results));
}

/// What is emitted can at least be read by what will run it.
#[test]
fn what_is_emitted_is_well_formed() {
    let desk = Desk::with(FILE);
    done(desk.run(&["sweep", "plan", "x.toml", "--shards", "30", "--out", "it's a plan.json"]));
    let emitted = |engine: &str| {
        let told = desk.command(&["sweep", "emit", engine, "it's a plan.json"]).output();
        let told = told.expect("it starts");
        assert!(told.status.success(), "{engine}");
        let text = String::from_utf8(told.stdout).expect("it is text");
        let marks =
            ["@PLAN@", "@HASH@", "@SHARDS@", "@LAST@", "@PER_TASK@", "@TASKS@", "@LAST_TASK@"];
        assert!(!marks.iter().any(|mark| text.contains(mark)), "{engine}");
        desk.write(engine, &text);
    };
    for engine in ["slurm", "parallel", "hyperqueue"] {
        emitted(engine);
        let checked = std::process::Command::new("bash").arg("-n").arg(desk.path(engine)).status();
        assert!(checked.expect("it starts").success(), "{engine}");
    }
    for engine in ["dask", "kubernetes", "snakemake"] {
        emitted(engine);
    }
}

/// What a search keeps is what is left of all cells, however the work was cut. The oracle reads the
/// table of all cells.
#[test]
fn a_search_keeps_what_sifting_all_cells_keeps() {
    let desk = Desk::with(FILE);
    done(desk.run(&["run", "x.toml", "--exact-only", "--out", "all"]));
    let all = desk.read("all/cells.csv");
    let mut lines = all.lines();
    let heads: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let column = |name: &str| heads.iter().position(|head| *head == name).expect("a column");
    let (kill, pin) = (column("p_kill_exact"), column("p_pin_exact"));
    let rows: Vec<(&str, f64, f64)> = lines
        .map(|row| {
            let cells: Vec<&str> = row.split(',').collect();
            let number = |at: usize| cells[at].parse::<f64>().expect("a number");
            (cells[0], number(kill), number(pin))
        })
        .collect();
    let kept: Vec<&str> =
        rows.iter().filter(|(_, kill, pin)| *kill > 0.05 && *pin <= 0.2).map(|row| row.0).collect();
    let mut ranked = rows.clone();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let best: Vec<&str> = ranked.iter().take(5).map(|row| row.0).collect();
    let beats = |a: &(&str, f64, f64), b: &(&str, f64, f64)| {
        a.1 <= b.1 && a.2 >= b.2 && (a.1 < b.1 || a.2 > b.2)
    };
    // Of equal cells the first.
    let mut points = Vec::new();
    let mut front: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|row| !rows.iter().any(|other| beats(other, row))) {
        if !points.contains(&(row.1, row.2)) {
            points.push((row.1, row.2));
            front.push(row.0);
        }
    }
    assert!(!kept.is_empty() && kept.len() < rows.len() && front.len() > 1);
    let cases = [
        ("keep = 'p_kill > 0.05 and p_pin <= 0.2'", &kept),
        ("best = { count = 5, by = 'p_kill' }", &best),
        ("front = '-p_kill, p_pin'", &front),
    ];
    for (search, expected) in cases {
        desk.write("x.toml", &FILE.replacen("[[", &format!("[sweep]\n{search}\n[["), 1));
        done(desk.run(&["run", "x.toml", "--exact-only", "--out", "one", "--overwrite"]));
        let sweep = ["sweep", "run", "x.toml", "--exact-only", "--out", "here", "--overwrite"];
        done(desk.run(&[&sweep[..], &["--cells-per-shard", "7"]].concat()));
        assert!(told(&desk, "one") == told(&desk, "here"), "{search}");
        let table = desk.read("one/cells.csv");
        let cells: Vec<&str> =
            table.lines().skip(1).filter_map(|row| row.split(',').next()).collect();
        assert_eq!(&cells, expected, "{search}");
        // The folder is whole, and a second run finds it so.
        done(desk.run(&["verify", "one"]));
        let again = desk.run(&["run", "x.toml", "--exact-only", "--out", "one"]);
        assert!(again.out.contains("complete since"), "{again:?}");
        // On the terminal it is the same search.
        let odds = desk.run(&["odds", "x.toml", "--exact-only", "--format", "json"]);
        let odds: serde_json::Value = serde_json::from_str(&odds.out).expect("JSON");
        assert_eq!(odds["contests"].as_array().map(Vec::len), Some(expected.len()), "{search}");
    }
    let wrong = [
        ("keep = 'p_kil > 0.3'", "did you mean `p_kill`?"),
        ("keep = 'p_kill = 0.3'", "is not a condition"),
        ("front = 'p_kill'", "two or three measures"),
        ("best = { by = 'p_kill' }\nfront = 'p_kill, p_pin'", "both given"),
    ];
    for (search, why) in wrong {
        desk.write("x.toml", &FILE.replacen("[[", &format!("[sweep]\n{search}\n[["), 1));
        desk.run(&["odds", "x.toml"]).refused(2, why);
    }
}
