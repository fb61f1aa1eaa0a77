//! How a page looks: to a reader without script, in the dark, on a phone, on paper, by keyboard.

use super::*;

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn it_can_be_read_without_script() {
    let run = Run::of(crate::built_in(), FIRE);
    let browser = Browser::start();
    browser.tool("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    browser.open(&run.page());
    // Scripts of the driver run nevertheless.
    let visible = |css: &str| {
        let script = "return [...document.querySelectorAll(arguments[0])].filter(\
            (e) => e.getClientRects().length > 0).length";
        browser.run(script, json!([css])).as_u64().expect("a count")
    };
    assert_eq!(visible("#explore, #cells"), 0);
    assert_eq!(visible("noscript p"), 1);
    assert!(visible(".static tbody tr") >= 20);
    assert!(visible("figure svg") >= 2);
    assert!(browser.text("header").contains("Exact and simulated agree."));
    assert_quiet(&browser, &run.page());
}

/// The smallest contrast of any text with what is behind it, by the formula of WCAG 2, and where.
pub const CONTRAST: &str = r"
    const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
    const light = (colour) => {
        const [r, g, b] = channels(colour).map((c) => c / 255)
            .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
        for (let e = element; e; e = e.parentElement) {
            const colour = getComputedStyle(e).backgroundColor;
            const parts = channels(colour);
            if (parts.length === 3 || parts[3] > 0) return colour;
        }
        return 'rgb(255, 255, 255)';
    };
    let worst = [99, ''];
    for (const e of document.querySelectorAll('body *')) {
        if (e.closest('svg') || !e.getClientRects().length) continue;
        if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
        const [a, b] = [light(getComputedStyle(e).color), light(behind(e))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < worst[0]) worst = [ratio, e.outerHTML.slice(0, 200)];
    }
    return worst;";

pub fn dress(browser: &Browser, media: &str, scheme: &str) {
    let feature = json!([{"name": "prefers-color-scheme", "value": scheme}]);
    let parameters = json!({"media": media, "features": feature});
    browser.tool("Emulation.setEmulatedMedia", parameters);
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn light_and_dark_have_contrast_and_are_not_blank() {
    let run = Run::of(crate::built_in(), FIRE);
    let browser = Browser::start();
    for (scheme, dark) in [("light", false), ("dark", true)] {
        browser.open(&run.page());
        dress(&browser, "screen", scheme);
        let worst = browser.run(CONTRAST, json!([]));
        assert!(worst[0].as_f64().is_some_and(|ratio| ratio >= 4.5), "{scheme}: {worst}");
        let colours = browser.colours();
        let paper = u32::from(colours.commonest[0]);
        assert_eq!(paper < 100, dark, "{colours:?}");
        assert!(colours.different > 50 && colours.share < 0.98, "{colours:?}");
    }
}

/// Where the first picture ends, in pixels from the top.
fn picture_ends(browser: &Browser) -> f64 {
    let end =
        "return document.querySelector('#curve svg').getBoundingClientRect().bottom + scrollY";
    browser.run(end, json!([])).as_f64().expect("there is a curve")
}

/// The pages of a PDF in base64; Chromium leaves their objects uncompressed.
fn pages(pdf: &str) -> usize {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u8> = pdf.bytes().filter_map(digit).collect();
    let bytes = digits.chunks(4).flat_map(|four| {
        let bits = four.iter().fold(0, |bits: u32, d| bits << 6 | u32::from(*d));
        let bits = bits << (6 * (4 - four.len()));
        bits.to_be_bytes()[1..four.len()].to_vec()
    });
    let text: String = bytes.map(char::from).collect();
    assert!(text.starts_with("%PDF-"));
    text.matches("/Type /Page\n").count()
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_picture_comes_first_and_is_dark_in_the_dark() {
    let run = Run::of(crate::built_in(), FIRE);
    let browser = Browser::start();
    let desk = json!({"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false});
    browser.tool("Emulation.setDeviceMetricsOverride", desk);
    browser.open(&run.page());
    assert!(picture_ends(&browser) <= 900.0);
    // It opens where something happens: not in the corners, which are 0 or 100 percent of
    // something.
    let middle = browser.text("#place");
    let cell = run.answers.iter().find(|answer| labels::describe_cell_place(answer) == middle);
    let effect = cell.and_then(|cell| cell.measure_answer_by_name("p_effect")?.exact);
    assert!(effect.is_some_and(|share| (0.2..0.8).contains(&share)), "{middle}: {effect:?}");
    if cfg!(feature = "charts") {
        let looks = "const picture = document.querySelector('.figures svg'); \
                     const ground = getComputedStyle(picture.querySelector('path')).fill; \
                     const title = getComputedStyle(picture.querySelector('text')).fill; \
                     return [ground, title, getComputedStyle(picture).filter]";
        dress(&browser, "screen", "light");
        let light = json!(["rgb(255, 255, 255)", "rgb(26, 26, 26)", "none"]);
        assert_eq!(browser.run(looks, json!([])), light);
        // Every colour has its own image in the dark; nothing is inverted as a whole.
        dress(&browser, "screen", "dark");
        let dark = json!(["rgb(29, 32, 33)", "rgb(198, 198, 198)", "none"]);
        assert_eq!(browser.run(looks, json!([])), dark);
        dress(&browser, "print", "dark");
        assert_eq!(browser.run(looks, json!([])), light);
    }
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn it_fits_a_phone_and_a_sheet_of_paper() {
    let run = Run::of(crate::built_in(), FIRE);
    let browser = Browser::start();
    let phone = json!({"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true});
    browser.tool("Emulation.setDeviceMetricsOverride", phone);
    browser.open(&run.page());
    let wide = "return document.documentElement.scrollWidth";
    let wide = browser.run(wide, json!([])).as_u64();
    assert!(wide.is_some_and(|wide| wide <= 390), "{wide:?}");
    assert!(picture_ends(&browser) <= 900.0);
    // Every result is seen: a row has where it stands and what comes of it, and nothing is out of
    // sight.
    let row = "const row = document.querySelector('#rows tr'); \
        return [row.children.length, row.lastChild.getBoundingClientRect().right]";
    let row = browser.run(row, json!([]));
    assert_eq!(row[0], 2);
    assert!(row[1].as_f64().is_some_and(|right| right <= 390.0), "{row}");
    browser.tool("Emulation.clearDeviceMetricsOverride", json!({}));
    dress(&browser, "print", "light");
    let shown = "return [...document.querySelectorAll(arguments[0])].filter(\
        (e) => e.getClientRects().length > 0).length";
    let shown = |css: &str| browser.run(shown, json!([css])).as_u64().unwrap_or(0);
    assert_eq!(shown("input, button#copy, button#more, select, details.toml"), 0);
    // Of two contests there are no rows on paper, but the chosen cell.
    assert_eq!(shown("#rows tr"), 0);
    assert!(shown("#law tr") > 2);
    let worst = browser.run(CONTRAST, json!([]));
    assert!(worst[0].as_f64().is_some_and(|ratio| ratio >= 4.5), "{worst}");
    assert!((1..=3).contains(&pages(&browser.print())));
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn the_keyboard_reaches_everything_and_sees_where_it_is() {
    let run = Run::of(&CATALOGUE, TOY);
    let browser = run.opened();
    let mut reached = Vec::new();
    loop {
        browser.press(key::TAB);
        let focus = browser.run(
            "const e = document.activeElement, s = getComputedStyle(e); \
             return [e.id || e.tagName + ':' + e.innerText.slice(0, 40), s.outlineStyle, parseFloat(s.outlineWidth)]",
            json!([]),
        );
        let name = focus[0].as_str().expect("a name").to_owned();
        if name.starts_with("BODY") || reached.contains(&name) {
            break;
        }
        assert_ne!(focus[1], "none", "{name}");
        assert!(focus[2].as_f64().is_some_and(|width| width >= 2.0), "{focus}");
        reached.push(name);
    }
    for wanted in [
        "axis-0",
        "axis-1",
        "copy",
        "filter",
        "both",
        "pin",
        "send",
        &format!("BUTTON:{HIT}"),
        "BUTTON:8",
    ] {
        assert!(reached.iter().any(|name| name == wanted), "{wanted}: {reached:?}");
    }
    let unnamed = browser.run(
        "return [...document.querySelectorAll('input, select, button')].filter(\
         (e) => !(e.labels && e.labels.length) && !e.getAttribute('aria-label') && !e.innerText \
         && e.getClientRects().length > 0).map((e) => e.outerHTML)",
        json!([]),
    );
    assert_eq!(unnamed, json!([]));
    assert_eq!(browser.run("return document.documentElement.lang", json!([])), "en");
}
