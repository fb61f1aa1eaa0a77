//! Access control of the studio: one layer around all routes.
//!
//! A server on loopback can be reached by every other user of the machine and by every page that is
//! open in the browser. So a request must name this server as its host, must not come from a page
//! of another origin, and must carry the secret that was made when this studio started. Its body is
//! bounded in kind, in size and in time. A request is refused before its body is read.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use enfilade_api::refusal_reply;
use hyper::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST,
    HeaderMap, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Method, StatusCode};

use super::connections::{SOCKET_TIME_LIMIT, StudioConnection};
use super::server::to_http_response;
use crate::bounds::INPUT_BYTES_RANGE;
use crate::error::Error;
use crate::random_stream::to_hex;

/// Bytes of the largest body: a file of the largest size, which is longer in JSON, with its
/// companions.
pub fn max_body_bytes() -> u64 {
    2 * INPUT_BYTES_RANGE.high.unsigned_abs()
}

/// Content policy of a page of the studio. Nothing of another origin, nothing inline.
const PAGE_CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; \
    form-action 'none'; require-trusted-types-for 'script'; trusted-types workbook";

/// The headers of every reply.
const HEADERS_OF_ALL_REPLIES: [(HeaderName, &str); 5] = [
    (CONTENT_SECURITY_POLICY, PAGE_CONTENT_POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The secret of one start: 256 bits, in hexadecimal digits.
#[derive(Clone)]
pub struct SecretToken(Arc<str>);

impl SecretToken {
    /// Creates a random secret.
    ///
    /// # Errors
    /// When the system provides no random numbers.
    pub fn new() -> Result<SecretToken, Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)
            .map_err(|why| Error::Usage(format!("the system provides no random numbers: {why}")))?;
        Ok(SecretToken(to_hex(&bytes).into()))
    }

    /// Its digits.
    pub fn hex_digits(&self) -> &str {
        &self.0
    }

    /// Whether `given` is the same. The time of the comparison does not depend on the first
    /// difference.
    fn is_equal_to_given(&self, secret: &[u8]) -> bool {
        let own = self.0.as_bytes();
        let pairs = own.iter().zip(secret);
        let differing = pairs.fold(0, |differing, (a, b)| differing | (a ^ b));
        own.len() == secret.len() && differing == 0
    }
}

/// The requirements of a request.
#[derive(Clone)]
pub struct RequestGuard {
    token: SecretToken,
    hosts: Arc<[String; 2]>,
}

/// The reason why a request is refused.
type RequestRefusal = (StatusCode, &'static str);

impl RequestGuard {
    /// Creates the guard of the server on this port.
    pub fn new(token: SecretToken, port: u16) -> RequestGuard {
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
        RequestGuard { token, hosts: Arc::new(hosts) }
    }

    /// Checks the head of a request.
    fn check_request_head(&self, request: &Request) -> Result<(), RequestRefusal> {
        let (headers, path) = (request.headers(), request.uri().path());
        let host = self
            .own_host_of_request(request)
            .ok_or((StatusCode::FORBIDDEN, "the request names another host"))?;
        // The page itself may be opened by a link from anywhere: without the secret it shows
        // nothing.
        let opened = path == "/" && request.method() == Method::GET;
        if !opened && !is_request_from_page(headers) {
            return Err((StatusCode::FORBIDDEN, "the request comes from another origin"));
        }
        if path.starts_with("/api") && !self.has_secret_token(headers) {
            return Err((StatusCode::UNAUTHORIZED, "the token is missing or from another start"));
        }
        // Requests that change nothing pass; a page of another origin could not read the answer.
        if [Method::GET, Method::HEAD].contains(request.method()) {
            return Ok(());
        }
        let origin = headers.get(ORIGIN).map(HeaderValue::as_bytes);
        // Browsers send the origin of a request that changes something, and no page can forge it.
        if origin != Some(format!("http://{host}").as_bytes()) {
            return Err((StatusCode::FORBIDDEN, "the origin is missing or different"));
        }
        // A form on any page can send anything, but not as JSON.
        let is_json = header_as_text(headers, &CONTENT_TYPE) == Some("application/json");
        if request.method() != Method::DELETE && !is_json {
            return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "expected application/json"));
        }
        let length =
            header_as_text(headers, &CONTENT_LENGTH).and_then(|length| length.parse().ok());
        match length.is_some_and(|length: u64| length > max_body_bytes()) {
            true => Err(BODY_TOO_LARGE),
            false => Ok(()),
        }
    }

    /// The host name of the request, if it is one of this server's names.
    fn own_host_of_request<'r>(&self, request: &'r Request) -> Option<&'r str> {
        let hosts: Vec<_> = request.headers().get_all(HOST).iter().collect();
        let [host] = hosts[..] else { return None };
        let host = host.to_str().ok()?;
        let is_direct = request.uri().authority().is_none_or(|authority| *authority == host);
        (is_direct && self.hosts.iter().any(|known| known == host)).then_some(host)
    }

    fn has_secret_token(&self, headers: &HeaderMap) -> bool {
        let header_token = headers.get(AUTHORIZATION).map(HeaderValue::as_bytes);
        let header_token = header_token.and_then(|given| given.strip_prefix(b"Bearer "));
        header_token.is_some_and(|given| self.token.is_equal_to_given(given))
    }
}

const BODY_TOO_LARGE: RequestRefusal = (StatusCode::PAYLOAD_TOO_LARGE, "the request is too large");

/// Whether the browser reports a request from this page or from none. Older browsers report
/// nothing; then the token decides alone.
fn is_request_from_page(headers: &HeaderMap) -> bool {
    const FETCH_SITE_HEADER: HeaderName = HeaderName::from_static("sec-fetch-site");
    header_as_text(headers, &FETCH_SITE_HEADER)
        .is_none_or(|site| ["same-origin", "none"].contains(&site))
}

fn header_as_text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// Passes a request on with its body read, or refuses it; in both cases the reply has the headers
/// that isolate the page.
pub async fn admit_or_refuse_request(
    State(guard): State<RequestGuard>,
    request: Request,
    next: Next,
) -> Response {
    let mut reply = match read_admitted_body(&guard, request).await {
        Ok(request) => next.run(request).await,
        Err((status, why)) => to_http_response(refusal_reply(status, why)),
    };
    for (name, value) in HEADERS_OF_ALL_REPLIES {
        reply.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    reply
}

async fn read_admitted_body(
    guard: &RequestGuard,
    request: Request,
) -> Result<Request, RequestRefusal> {
    guard.check_request_head(&request)?;
    if let Some(peer) = request.extensions().get::<StudioConnection>()
        && guard.has_secret_token(request.headers())
    {
        peer.mark_as_trusted();
    }
    let (head, body) = request.into_parts();
    let limit = usize::try_from(max_body_bytes()).unwrap_or(usize::MAX);
    let bytes = tokio::time::timeout(SOCKET_TIME_LIMIT, to_bytes(body, limit)).await;
    let slow = (StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time");
    let bytes = bytes.map_err(|_| slow)?.map_err(|_| BODY_TOO_LARGE)?;
    Ok(Request::from_parts(head, Body::from(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_known_whole() {
        let token = SecretToken::new().expect("there are random numbers");
        let digits = token.hex_digits().to_owned();
        assert_eq!(digits.len(), 64);
        assert!(token.is_equal_to_given(digits.as_bytes()));
        assert!(!token.is_equal_to_given(&digits.as_bytes()[1..]) && !token.is_equal_to_given(b""));
        assert!(!token.is_equal_to_given(format!("{digits}0").as_bytes()));
        let other = SecretToken::new().expect("there are random numbers");
        assert!(!token.is_equal_to_given(other.hex_digits().as_bytes()));
    }
}
