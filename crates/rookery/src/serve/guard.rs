//! Who may ask.
//!
//! A page of another site can make a browser send requests here, and a name of its own can be made to mean
//! this machine (DNS rebinding). So the name in `Host` must be an address or `localhost`, requests must come
//! from our own page, and what is sent must be of a type that no form can send. Where other machines may
//! ask, they must know the token: once in the address, from then on in a cookie.

use super::Site;
use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::net::IpAddr;
use std::sync::Arc;

const COOKIE_NAME: &str = "rookery_token";

/// Nothing from elsewhere is loaded, no other page may frame this one, and nothing of it is kept.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        HeaderName::from_static("content-security-policy"),
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (HeaderName::from_static("x-content-type-options"), "nosniff"),
    (HeaderName::from_static("x-frame-options"), "DENY"),
    (HeaderName::from_static("referrer-policy"), "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (CACHE_CONTROL, "no-store"),
];

/// What a client must know.
pub struct Guard {
    token: Option<String>,
}

impl Guard {
    /// Without a token only this machine may ask.
    pub fn new(token: Option<String>) -> Guard {
        Guard { token }
    }

    /// Why a request is refused, if it is.
    fn refuses(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> Option<(u16, &'static str)> {
        let Some(host) = text(headers, &HOST).filter(|host| self.is_own(host)) else {
            return Some((421, "this is not the host of that name"));
        };
        if !is_from_own_page(host, path, headers) {
            return Some((403, "requests of other sites are refused"));
        }
        let kind = text(headers, &CONTENT_TYPE).unwrap_or_default();
        let is_json = kind.split(';').next().is_some_and(|kind| kind.trim() == "application/json");
        if *method == Method::POST && !is_json {
            return Some((415, "requests are of the type application/json"));
        }
        None
    }

    /// An address cannot be made to mean another machine, and without a token it must be this one.
    fn is_own(&self, host: &str) -> bool {
        let name = without_port(host);
        let address: Option<IpAddr> = name.trim_matches(['[', ']']).parse().ok();
        match address {
            Some(address) => self.token.is_some() || address.is_loopback(),
            None => name.eq_ignore_ascii_case("localhost"),
        }
    }

    /// Whether the client knows the token, if there is one.
    fn knows_token(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else { return true };
        let bearer = text(headers, &AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut cookies = cookies.flat_map(|line| line.split(';')).filter_map(|one| {
            one.trim().strip_prefix(COOKIE_NAME).and_then(|rest| rest.strip_prefix('='))
        });
        bearer.is_some_and(|given| is_same(given, token))
            || cookies.any(|given| is_same(given, token))
    }

    /// The page's address with the right token in it.
    fn introduces(&self, request: &Request) -> bool {
        let Some(token) = &self.token else { return false };
        let query = request.uri().query().unwrap_or_default();
        let mut given = query.split('&').filter_map(|pair| pair.strip_prefix("token="));
        *request.method() == Method::GET
            && request.uri().path() == "/"
            && given.any(|given| is_same(given, token))
    }
}

/// Lets a request pass or refuses it; every answer gets the headers that protect the page.
pub async fn check(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let guard = &site.guard;
    let refused = guard.refuses(request.method(), request.uri().path(), request.headers());
    // A request as proxies get them names its host a second time.
    let is_for_other = request.uri().host().is_some_and(|host| !guard.is_own(host));
    let mut response = match refused {
        None if is_for_other => refusal(421, "this is not the host of that name"),
        Some((status, reason)) => refusal(status, reason),
        None if guard.introduces(&request) => remember(guard.token.as_deref().unwrap_or_default()),
        None if !guard.knows_token(request.headers()) => {
            refusal(401, "open the address that `rookery serve` has printed: it holds the token")
        }
        None => as_json(next.run(request).await),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// An answer that says why there is no other.
pub fn refusal(status: u16, reason: &str) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    let mut response = answer(json!({ "error": reason }).to_string());
    *response.status_mut() = status;
    response
}

/// An answer in JSON.
pub fn answer(body: String) -> Response {
    ([(CONTENT_TYPE, "application/json")], body).into_response()
}

/// What the framework refuses by itself (a body that is too large) it says as plain text: here as JSON too.
fn as_json(response: Response) -> Response {
    let status = response.status();
    let is_json = text(response.headers(), &CONTENT_TYPE) == Some("application/json");
    match status.is_client_error() || status.is_server_error() {
        true if !is_json => {
            refusal(status.as_u16(), status.canonical_reason().unwrap_or("it is refused"))
        }
        _ => response,
    }
}

/// The token goes from the address into a cookie: addresses are kept and shown.
fn remember(token: &str) -> Response {
    let cookie = format!("{COOKIE_NAME}={token}; HttpOnly; SameSite=Strict; Path=/");
    (StatusCode::SEE_OTHER, [(SET_COOKIE, cookie.as_str()), (LOCATION, "/")]).into_response()
}

/// Browsers say where a request comes from. The page itself may be opened from anywhere; other programs
/// send neither header.
fn is_from_own_page(host: &str, path: &str, headers: &HeaderMap) -> bool {
    // What is there but cannot be read, or is there twice, is no word of our own page.
    let header =
        |name| headers.contains_key(&name).then(|| text(headers, &name).unwrap_or_default());
    let same_origin = header(ORIGIN).is_none_or(|origin| {
        let place = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        place.is_some_and(|place| place.eq_ignore_ascii_case(host))
    });
    let is_visit =
        path == "/" && header(HeaderName::from_static("sec-fetch-mode")) == Some("navigate");
    let same_site = header(HeaderName::from_static("sec-fetch-site"))
        .is_none_or(|site| matches!(site, "same-origin" | "none") || is_visit);
    same_origin && same_site
}

/// The value of a header that is there once. Of a doubled one a proxy may have checked the other value.
fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().filter(|_| values.next().is_none());
    value?.to_str().ok()
}

/// `host:port` and `[::1]:port` without the port.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Takes as long for a wrong secret as for the right one.
fn is_same(given: &str, secret: &str) -> bool {
    let pairs = given.bytes().zip(secret.bytes());
    given.len() == secret.len() && pairs.fold(0, |sum, (one, other)| sum | (one ^ other)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(guard: &Guard, method: Method, path: &str, headers: &[(&'static str, &str)]) -> u16 {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_str(value).expect("a header"));
        }
        match guard.refuses(&method, path, &map) {
            Some((status, _)) => status,
            None if !guard.knows_token(&map) => 401,
            None => 200,
        }
    }

    #[test]
    fn only_names_of_this_machine_are_answered() {
        let guard = Guard::new(None);
        let get = |host| status(&guard, Method::GET, "/", &[("host", host)]);
        for host in ["127.0.0.1:6464", "localhost", "LOCALHOST:80", "[::1]:6464", "127.9.9.9"] {
            assert_eq!(get(host), 200, "{host}");
        }
        let foreign =
            ["evil.example", "localhost.evil.example:6464", "192.168.1.2:6464", "", ":80"];
        for host in foreign {
            assert_eq!(get(host), 421, "{host}");
        }
        assert_eq!(status(&guard, Method::GET, "/", &[]), 421);
        let open = Guard::new(Some("0123456789abcdef".to_owned()));
        let own = [("host", "192.168.1.2:1"), ("authorization", "Bearer 0123456789abcdef")];
        assert_eq!(status(&open, Method::GET, "/", &own), 200);
        assert_eq!(status(&open, Method::GET, "/", &[("host", "evil.example")]), 421);
    }

    #[test]
    fn other_sites_are_refused() {
        let (guard, own) = (Guard::new(None), ("host", "127.0.0.1:6464"));
        let json = ("content-type", "application/json");
        let post = |more| status(&guard, Method::POST, "/api/search", &[own, json, more]);
        assert_eq!(post(("origin", "http://127.0.0.1:6464")), 200);
        for origin in ["http://evil.example", "null", "http://127.0.0.1:6465", "file://"] {
            assert_eq!(post(("origin", origin)), 403, "{origin}");
        }
        assert_eq!(post(("sec-fetch-site", "cross-site")), 403);
        assert_eq!(post(("sec-fetch-site", "same-site")), 403);
        assert_eq!(post(("sec-fetch-site", "same-origin")), 200);
        // A form, which a browser sends without asking first.
        let form = ("content-type", "text/plain");
        assert_eq!(status(&guard, Method::POST, "/api/search", &[own, form]), 415);
        // A link to the page is harmless; other sites may not load its files.
        let visit = [own, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
        assert_eq!(status(&guard, Method::GET, "/", &visit), 200);
        assert_eq!(status(&guard, Method::GET, "/api/info", &visit), 403);
    }

    #[test]
    fn doubled_headers_are_refused() {
        let (guard, own) = (Guard::new(None), ("host", "127.0.0.1:6464"));
        let json = ("content-type", "application/json");
        let post = |more: &[_]| {
            let headers = [&[own, json], more].concat();
            status(&guard, Method::POST, "/api/search", &headers)
        };
        assert_eq!(post(&[own]), 421);
        assert_eq!(post(&[("host", "evil.example")]), 421);
        let origin = ("origin", "http://127.0.0.1:6464");
        assert_eq!(post(&[origin]), 200);
        assert_eq!(post(&[origin, origin]), 403);
        assert_eq!(post(&[origin, ("origin", "http://evil.example")]), 403);
        let site = ("sec-fetch-site", "same-origin");
        assert_eq!(post(&[site, site]), 403);
        assert_eq!(post(&[site, ("sec-fetch-site", "cross-site")]), 403);
        assert_eq!(post(&[json]), 415);
    }

    #[test]
    fn with_a_token_it_must_be_known() {
        let guard = Guard::new(Some("0123456789abcdef".to_owned()));
        let own = ("host", "127.0.0.1");
        let with = |more| status(&guard, Method::GET, "/", &[own, more]);
        assert_eq!(with(("cookie", "a=b; rookery_token=0123456789abcdef")), 200);
        for cookie in ["rookery_token=", "rookery_token=0123456789abcdee", "0123456789abcdef"] {
            assert_eq!(with(("cookie", cookie)), 401, "{cookie}");
        }
        assert_eq!(with(("authorization", "Basic 0123456789abcdef")), 401);
        let ask =
            |path: &str| guard.introduces(&Request::get(path).body(().into()).expect("a request"));
        assert!(
            ask("/?token=0123456789abcdef")
                && !ask("/?token=x")
                && !ask("/api/info?token=0123456789abcdef")
        );
    }
}
