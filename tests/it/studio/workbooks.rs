//! Workbooks that are dropped on the studio, each sheet as a table.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use serde_json::json;

use super::browser::{assert_quiet, click};
use super::{FIRE, Served};
use crate::browser::Browser;
use crate::desk::Desk;

/// Drops a file of bytes on an element.
fn drop_bytes(browser: &Browser, css: &str, name: &str, bytes: &[u8]) {
    browser.run(
        "const data = new DataTransfer();
         data.items.add(new File([new Uint8Array(arguments[2])], arguments[1]));
         document.querySelector(arguments[0]).dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));",
        json!([css, name, bytes]),
    );
}

/// A zip of parts that are not compressed.
fn stored_zip(parts: &[(&str, String)]) -> Vec<u8> {
    let (mut body, mut list) = (Vec::new(), Vec::new());
    let short = |n: usize| u16::try_from(n).expect("small").to_le_bytes();
    let long = |n: usize| u32::try_from(n).expect("small").to_le_bytes();
    for (name, text) in parts {
        let begin = body.len();
        let sizes = [long(text.len()), long(text.len())].concat();
        body.extend([&b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0"[..], &[0; 4], &sizes].concat());
        body.extend([&short(name.len())[..], &[0; 2], name.as_bytes(), text.as_bytes()].concat());
        list.extend([&b"PK\x01\x02\x14\0\x14\0\0\0\0\0\0\0\0\0"[..], &[0; 4], &sizes].concat());
        list.extend([&short(name.len())[..], &[0; 12], &long(begin), name.as_bytes()].concat());
    }
    let (count, at) = (short(parts.len()), body.len());
    let end = [&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &long(list.len()), &long(at), &[0; 2]];
    [body, list, end.concat()].concat()
}

/// A workbook with these sheets; every cell is a text in its place.
fn workbook(sheets: &[(&str, &[&[&str]])]) -> Vec<u8> {
    let of = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" \
        xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";
    let (mut names, mut links, mut parts) = (String::new(), String::new(), Vec::new());
    let paths: Vec<_> = (1..=sheets.len()).map(|n| format!("xl/worksheets/sheet{n}.xml")).collect();
    for (n, (name, rows)) in (1..).zip(sheets) {
        names += &format!("<sheet name=\"{name}\" sheetId=\"{n}\" r:id=\"r{n}\"/>");
        links += &format!("<Relationship Id=\"r{n}\" Target=\"worksheets/sheet{n}.xml\"/>");
        let cell = |text: &&str| format!("<c t=\"inlineStr\"><is><t>{text}</t></is></c>");
        let row =
            |row: &&[&str]| format!("<row>{}</row>", row.iter().map(cell).collect::<String>());
        let rows: String = rows.iter().map(row).collect();
        parts.push(format!("<worksheet {of}><sheetData>{rows}</sheetData></worksheet>"));
    }
    let book = format!("<workbook {of}><sheets>{names}</sheets></workbook>");
    let mut all = vec![("xl/workbook.xml", book)];
    all.push(("xl/_rels/workbook.xml.rels", format!("<Relationships>{links}</Relationships>")));
    all.extend(paths.iter().map(String::as_str).zip(parts));
    stored_zip(&all)
}

/// The sheets of the program's own workbook have the cells that another reader finds in them.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_workbook_has_the_cells_that_another_reader_finds() {
    let desk = Desk::with(&FIRE.replace("fp = 8", "fp = [4, 8]"));
    let output = desk.command(&["odds", "x.toml", "--exact-only", "--format", "xlsx"]).output();
    let bytes = output.expect("it starts").stdout;
    let mut known: Xlsx<_> = Xlsx::new(Cursor::new(&bytes)).expect("it is a workbook");
    let served = Served::with(&[]);
    let browser = served.opened();
    drop_bytes(&browser, "body", "odds.xlsx", &bytes);
    let sheets = known.sheet_names();
    assert!(sheets.len() > 1, "{sheets:?}");
    for sheet in sheets {
        let path = served.path(&format!("odds {sheet}.tsv"));
        crate::desk::until(&sheet, || path.exists());
        let text = std::fs::read_to_string(&path).expect("readable");
        let range = known.worksheet_range(&sheet).expect("it is there");
        let rows: Vec<_> = range.rows().collect();
        assert_eq!(text.lines().count(), rows.len(), "{sheet}");
        for (line, row) in text.lines().zip(rows) {
            let cells: Vec<_> = line.split('\t').collect();
            assert_eq!(cells.len(), row.len(), "{line}");
            for (cell, known) in cells.into_iter().zip(row) {
                match known {
                    Data::Float(number) => {
                        let read: f64 = cell.parse().expect("a number");
                        assert!((read - number).abs() <= 1e-14 * number.abs(), "{read} {number}");
                    }
                    other => assert_eq!(cell, other.to_string().trim()),
                }
            }
        }
    }
    assert_quiet(&browser);
}

/// Of several sheets the one whose heads fit fills a table, by its heads; what is no workbook is
/// named.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn the_sheet_that_fits_fills_an_arsenal() {
    let served = Served::with(&[]);
    let browser = served.opened();
    click(&browser, "[data-prices='skirmishers'] .tile");
    browser.wait("the rows", "return document.querySelector('table.cells tbody input')");
    let book = workbook(&[
        ("Notes", &[&["what is said"], &["nothing"]]),
        ("Guns", &[&["Price", "NAME", "colour"], &["1229", "HMG", "red"], &["30", "SMG", "x"]]),
    ]);
    drop_bytes(&browser, "table.cells", "army.xlsx", &book);
    browser.wait(
        "its prices",
        "const rows = [...document.querySelectorAll('tbody[data-path]')].map((row) => [...row.querySelectorAll('td:nth-child(-n+2) input')].map((box) => box.value).join());
         return rows.includes('HMG,1229') && rows.at(-1) === 'SMG,30'",
    );
    let said = browser.text("#said");
    assert!(said.contains("no column for colour"), "{said}");
    drop_bytes(&browser, "body", "broken.xlsx", &book[..book.len() / 2]);
    browser.wait(
        "it is refused",
        "return document.querySelector('#said').textContent.startsWith('broken.xlsx cannot be read: it is no workbook')",
    );
    assert!(!served.path("broken.tsv").exists());
    assert_quiet(&browser);
}
