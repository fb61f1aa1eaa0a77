//! Every attack that a server on loopback has to expect, on every door.

use std::io::{BufRead, BufReader, Write};
use std::net::{IpAddr, TcpStream, UdpSocket};
use std::time::Duration;

use super::{Reply, Served};
use crate::desk::Desk;

/// Every door that the router has, and one that it has not, as requests that would be answered.
fn doors() -> Vec<String> {
    let name = |path: &str| match path.split_once("/{") {
        Some(("/assets", _)) => "studio.js",
        Some(("/api/texts", _)) => "asl_fire.rules",
        Some(("/api/sheets", _)) => "card.pdf",
        Some(("/api/jobs", _)) => "1",
        _ => "fire.toml",
    };
    let filled = |(method, path): (&str, &str)| {
        let path = match (path.find('{'), path.find('}')) {
            (Some(from), Some(to)) => {
                format!("{}{}{}", &path[..from], name(path), &path[to + 1..])
            }
            _ => path.to_owned(),
        };
        format!("{method} {path}")
    };
    let mut doors: Vec<_> =
        enfilade::studio::list_methods_and_paths().into_iter().map(filled).collect();
    assert!(doors.len() > 10 && doors.contains(&"PUT /api/files/fire.toml".to_owned()));
    doors.push("GET /api/nothing".to_owned());
    doors
}

const FIRE: &str = "[[contest]]\nsystem = \"asl\"\naction = \"fire\"\nfp = 8\n";

fn served() -> Served {
    Served::with(&[("fire.toml", FIRE)])
}

fn private() -> impl Iterator<Item = String> {
    doors().into_iter().filter(|door| door.contains("/api"))
}

/// The headers of every reply, whatever it is.
fn is_shut(reply: &Reply) {
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
    ] {
        assert!(reply.head.contains(header), "{header}: {}", reply.head);
    }
    assert!(!reply.head.contains("access-control-"), "{}", reply.head);
    assert!(!reply.head.contains("set-cookie"), "{}", reply.head);
}

#[test]
fn our_own_page_is_answered() {
    let served = served();
    let doors = doors();
    let open = |door: &&String| {
        let elsewhere = ["jobs", "here", "variants/", "drafts/"];
        door.starts_with("GET") && !elsewhere.iter().any(|part| door.contains(part))
    };
    for door in doors.iter().filter(open).filter(|door| !door.ends_with("nothing")) {
        let reply = served.ask(door, &[("Sec-Fetch-Site", "same-origin")], "");
        assert_eq!(reply.status, 200, "{door}: {}", reply.body);
        is_shut(&reply);
    }
    assert_eq!(served.ask("GET /api/nothing", &[], "").status, 404);
    assert_eq!(served.ask("GET /assets/../Cargo.toml", &[], "").status, 404);
    // The page has no secret in it, and is opened from a file of ours.
    let opened = [("Authorization", ""), ("Origin", ""), ("Sec-Fetch-Site", "cross-site")];
    let page = served.ask("GET /", &opened, "");
    assert_eq!(page.status, 200);
    assert!(!page.body.contains(&served.token) && !page.head.contains(&served.token));
    // By its other name too.
    let host = format!("localhost:{}", served.port);
    assert_eq!(served.ask("GET /api/files", &[("Host", &host)], "").status, 200);
}

#[test]
fn without_the_secret_nothing_is_told() {
    let served = served();
    let wrong = format!("Bearer {}", "0".repeat(64));
    let short = format!("Bearer {}", &served.token[..63]);
    let basic = format!("Basic {}", served.token);
    for door in private() {
        for given in ["", "Bearer ", &wrong, &short, &basic, &served.token] {
            let reply = served.ask(&door, &[("Authorization", given)], "{\"text\": \"\"}");
            assert_eq!(reply.status, 401, "{door} with {given}");
            assert!(!reply.body.contains("fp = 8"), "{}", reply.body);
            is_shut(&reply);
        }
    }
    let query = format!("GET /api/files?t={}", served.token);
    assert_eq!(served.ask(&query, &[("Authorization", "")], "").status, 401);
}

/// A name that an attacker's server resolves to loopback is no name of ours.
#[test]
fn another_host_is_refused_before_anything_else() {
    let served = served();
    let port = served.port;
    let hosts = [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port ^ 1),
        format!("127.0.0.1.evil.example:{port}"),
        format!("0.0.0.0:{port}"),
        format!("[::1]:{port}"),
        format!("LOCALHOST:{port}"),
    ];
    for door in doors() {
        for host in &hosts {
            let reply = served.ask(&door, &[("Host", host)], "");
            assert_eq!(reply.status, 403, "{door} at {host}");
            is_shut(&reply);
        }
    }
    let absolute = format!("GET http://evil.example:{port}/api/files");
    assert_eq!(served.ask(&absolute, &[], "").status, 403);
    let twice = format!(
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(served.raw(twice.as_bytes()).status, 403);
    let none = served.raw(b"GET / HTTP/1.0\r\n\r\n");
    assert_eq!(none.status, 403);
}

/// Whatever a page of another origin can make a browser send: even if it knew the secret.
#[test]
fn another_origin_is_refused() {
    let served = served();
    let other = format!("http://localhost:{}", served.port ^ 1);
    let secure = format!("https://127.0.0.1:{}", served.port);
    let body = "{\"text\": \"stolen\"}";
    let doors = doors();
    let writing = || doors.iter().filter(|door| !door.starts_with("GET"));
    for origin in ["", "null", "http://evil.example", &other, &secure] {
        for door in writing() {
            let reply = served.ask(door, &[("Origin", origin), ("If-Match", "*")], body);
            assert_eq!(reply.status, 403, "{door} from {origin}");
            is_shut(&reply);
        }
    }
    for site in ["cross-site", "same-site", "nonsense"] {
        for door in doors.iter().filter(|door| *door != "GET /") {
            assert_eq!(served.ask(door, &[("Sec-Fetch-Site", site)], body).status, 403, "{door}");
        }
    }
    for kind in ["", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded"] {
        for door in writing().filter(|door| !door.starts_with("DELETE")) {
            let reply = served.ask(door, &[("Content-Type", kind)], body);
            assert_eq!(reply.status, 415, "{door} with {kind}");
        }
    }
    let asked_before = [("Access-Control-Request-Method", "PUT")];
    let preflight = served.ask("OPTIONS /api/files/fire.toml", &asked_before, "");
    assert!(preflight.status >= 400, "{preflight:?}");
    is_shut(&preflight);
    assert_eq!(served.get("/api/files/fire.toml")["text"], FIRE);
}

/// Methods that no door has, and one request that says two things of its length.
#[test]
fn odd_requests_are_refused() {
    let served = served();
    for method in ["PATCH", "TRACE", "POST", "NONSENSE"] {
        let reply = served.ask(&format!("{method} /api/files/fire.toml"), &[], "{}");
        assert_eq!(reply.status, 404, "{method}: {reply:?}");
        is_shut(&reply);
    }
    // A file is deleted by those who know its text alone.
    let reply = served.ask("DELETE /api/files/fire.toml", &[], "{}");
    assert_eq!(reply.status, 428, "{reply:?}");
    assert_eq!(served.get("/api/files/fire.toml")["text"], FIRE);
    let twice = [("Content-Length", "2\r\nContent-Length: 3")];
    assert_eq!(served.ask("POST /api/dice", &twice, "{}x").status, 400);
    // A second request hidden in the body of the first is not answered.
    let hidden = "0\r\n\r\nGET /api/files HTTP/1.1\r\nHost: evil.example\r\n\r\n";
    let both = [("Content-Length", "4\r\nTransfer-Encoding: chunked")];
    let reply = served.ask("POST /api/dice", &both, hidden);
    assert_eq!(reply.status, 400, "{reply:?}");
    assert!(!reply.body.contains("HTTP/1.1") && !reply.body.contains("fire.toml"), "{reply:?}");
    assert_eq!(served.get("/api/files/fire.toml")["text"], FIRE);
}

#[test]
fn other_machines_do_not_reach_it() {
    let served = served();
    // The address under which other machines know this one; nothing is sent to find it out.
    let socket = UdpSocket::bind("0.0.0.0:0").expect("a socket");
    let outer = socket.connect("192.0.2.1:9").and_then(|()| socket.local_addr());
    let Ok(outer) = outer else { return };
    let IpAddr::V4(outer) = outer.ip() else { return };
    if !outer.is_loopback() && !outer.is_unspecified() {
        let reached =
            TcpStream::connect_timeout(&(outer, served.port).into(), Duration::from_secs(5));
        assert!(reached.is_err(), "{outer} reaches it");
    }
}

#[test]
fn only_plain_names_of_the_folder_are_opened() {
    let served = served();
    let outside = tempfile::NamedTempFile::with_suffix(".toml").expect("a file elsewhere");
    std::fs::write(outside.path(), "secret = 1").expect("written");
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.path(), served.path("link.toml")).expect("made");
    let absolute = format!("%2f{}", outside.path().display()).replace('/', "%2f");
    let name = outside.path().file_name().expect("it has a name").to_string_lossy().into_owned();
    let up = format!("..%2f{name}");
    for name in [
        "..",
        "%2e%2e%2ffire.toml",
        "..%2ffire.toml",
        "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        &up,
        &absolute,
        "fire.toml%00",
        "%00.toml",
        "con.toml",
        "link.toml",
        "fire.toml%2f",
        "..%5cfire.toml",
        ".hidden.toml",
        "fire.txt",
        "%ff.toml",
        "",
    ] {
        let read = served.ask(&format!("GET /api/files/{name}"), &[], "");
        assert!((400..500).contains(&read.status), "{name}: {read:?}");
        assert!(!read.body.contains("secret"), "{name}: {read:?}");
        let line = format!("PUT /api/files/{name}");
        let write = served.ask(&line, &[("If-None-Match", "*")], "{\"text\": \"x = 1\"}");
        assert!((400..500).contains(&write.status), "{name}: {write:?}");
    }
    assert_eq!(std::fs::read_to_string(outside.path()).expect("it is there"), "secret = 1");
    let files = served.get("/api/files")["files"].clone();
    assert_eq!(files.as_array().map(Vec::len), Some(1), "{files}");
}

#[test]
fn a_file_that_changed_meanwhile_is_not_written_over() {
    let served = served();
    let hash = served.get("/api/files/fire.toml")["hash"].as_str().expect("a hash").to_owned();
    let write = |headers: &[(&str, &str)], text: &str| {
        let body = serde_json::json!({ "text": text }).to_string();
        served.ask("PUT /api/files/fire.toml", headers, &body)
    };
    assert_eq!(write(&[], "x = 1").status, 428);
    assert_eq!(write(&[("If-None-Match", "*")], "x = 1").status, 409);
    std::fs::write(served.path("fire.toml"), "# mine\n").expect("written");
    let refused = write(&[("If-Match", &hash)], "x = 1");
    assert_eq!((refused.status, refused.json()["there"]["text"].as_str()), (409, Some("# mine\n")));
    let now = refused.json()["there"]["hash"].as_str().expect("a hash").to_owned();
    assert_eq!(write(&[("If-Match", &now)], "x = 1").status, 200);
    let text = std::fs::read_to_string(served.path("fire.toml")).expect("it is there");
    assert_eq!(text, "x = 1");
    let new = served.ask("PUT /api/files/new.toml", &[("If-None-Match", "*")], "{\"text\": \"\"}");
    assert_eq!(new.status, 200, "{new:?}");
}

#[test]
fn too_much_and_too_slow_are_refused() {
    let served = served();
    let write = "PUT /api/files/big.toml";
    let said = [("If-None-Match", "*"), ("Content-Length", "99999999999")];
    for door in doors().iter().filter(|door| !door.starts_with("GET")) {
        assert_eq!(served.ask(door, &said, "{}").status, 413, "{door}");
    }
    let endless = "4000\r\n".to_owned() + &"x".repeat(0x4000) + "\r\n";
    let chunked = [("Content-Length", ""), ("Transfer-Encoding", "chunked")];
    let reply = served.ask(write, &chunked, &endless.repeat(200));
    assert!([413, 0].contains(&reply.status), "{reply:?}");
    let huge = "x".repeat(1 << 20);
    let reply = served.ask("GET /", &[("X-Long", &huge)], "");
    assert!([431, 400, 0].contains(&reply.status), "{}", reply.status);
    for odd in ["{", "[]", "\"text\"", "{\"text\": 3}", &"[".repeat(100_000)] {
        let reply = served.ask(write, &[("If-None-Match", "*")], odd);
        assert_eq!(reply.status, 400, "{}", &odd[..odd.len().min(20)]);
    }
    assert_eq!(served.get("/api/files")["files"].as_array().map(Vec::len), Some(1));
}

/// Sixteen who never end their head hold all places, and only for a while.
#[test]
fn who_never_comes_to_the_point_is_hung_up_on() {
    let served = served();
    let mut idle: Vec<_> = (0..16).map(|_| served.socket()).collect();
    for socket in &mut idle {
        socket.write_all(b"GET / HTTP/1.1\r\nHost:").expect("it listens");
    }
    assert_eq!(served.ask("GET /", &[], "").status, 200);
    let refused = Reply::read(&mut idle[0]);
    assert!([408, 0].contains(&refused.status), "{refused:?}");
    // A body that does not come is not waited for either.
    let slow = [("If-None-Match", "*"), ("Content-Length", "100")];
    assert_eq!(served.ask("PUT /api/files/a.toml", &slow, "{").status, 408);
}

/// With nobody there it ends by itself, where it was asked to.
#[test]
fn it_ends_when_no_page_is_open() {
    let desk = Desk::with(FIRE);
    let mut command = desk.command(&["studio", ".", "--no-browser", "--exit-when-closed=2"]);
    let mut child = command.spawn().expect("it starts");
    let mut said = String::new();
    let out = child.stdout.take().expect("it is piped");
    BufReader::new(out).read_line(&mut said).expect("it says where it is");
    let (_, rest) = said.split_once("127.0.0.1:").expect("it is on loopback");
    let (port, token) = rest.trim().split_once("/#t=").expect("it has a secret");
    let mut page = TcpStream::connect(format!("127.0.0.1:{port}")).expect("it listens");
    let request = format!(
        "GET /api/here HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\r\n"
    );
    page.write_all(request.as_bytes()).expect("it listens");
    // As long as the page is there the studio is: it is heard twice, ten seconds apart.
    page.set_read_timeout(Some(Duration::from_secs(60))).expect("set");
    let heard = BufReader::new(page.try_clone().expect("a socket")).lines();
    let beats = heard.map_while(Result::ok).filter(|line| line.contains(": here")).take(2);
    assert_eq!(beats.count(), 2);
    assert!(child.try_wait().expect("it can be asked").is_none());
    drop(page);
    let ended = child.wait().expect("it ends");
    assert!(ended.success(), "{ended}");
}

/// Ctrl-C ends it, a simulation under way too, and nothing is left.
#[test]
fn it_ends_without_a_trace() {
    let desk = Desk::with(FIRE);
    let kept = tempfile::TempDir::new().expect("a temporary folder");
    let mut command = desk.command(&["studio", ".", "--no-browser"]);
    let mut child = command.env("TMPDIR", kept.path()).spawn().expect("it starts");
    let mut said = String::new();
    let out = child.stdout.take().expect("it is piped");
    BufReader::new(out).read_line(&mut said).expect("it says where it is");
    let (_, rest) = said.split_once("127.0.0.1:").expect("it is on loopback");
    let (port, token) = rest.trim().split_once("/#t=").expect("it has a secret");
    let endless =
        format!("trials = 10_000_000_000_000\n{FIRE}target = {{ kind = 'squad', morale = 7 }}\n");
    let body = serde_json::json!({ "text": endless }).to_string();
    let mut socket = TcpStream::connect(format!("127.0.0.1:{port}")).expect("it listens");
    let request = format!(
        "POST /api/jobs HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n\
         Authorization: Bearer {token}\r\nContent-Type: application/json\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    socket.write_all(request.as_bytes()).expect("it listens");
    assert_eq!(Reply::read(&mut socket).status, 200);
    let id = child.id().to_string();
    let kill = std::process::Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.expect("there is such a command").success());
    let ended = child.wait().expect("it ends");
    assert!(ended.success(), "{ended}");
    let names: Vec<_> = desk.files(".").into_iter().map(|(path, _)| path).collect();
    assert_eq!(names.len(), 1, "{names:?}");
    assert_eq!(std::fs::read_dir(kept.path()).expect("readable").count(), 0);
    assert!(TcpStream::connect(format!("127.0.0.1:{port}")).is_err());
}
