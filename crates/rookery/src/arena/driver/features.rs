//! The features of an xboard engine: what it can do, as it says so itself.

use super::options::Options;

/// What matters to a referee, with the values that protocol version 1 implies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Features {
    pub name: Option<String>,
    pub ping: bool,
    pub setboard: bool,
    pub usermove: bool,
    pub san: bool,
    pub memory: bool,
    pub cores: bool,
    pub reuse: bool,
    pub variants: Vec<String>,
    /// The engine's own options.
    pub options: Options,
    /// Whether the list is complete; `None` if the engine has not said.
    pub done: Option<bool>,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            name: None,
            ping: false,
            setboard: false,
            usermove: false,
            san: false,
            memory: false,
            cores: false,
            reuse: true,
            variants: Vec::new(),
            options: Options::default(),
            done: None,
        }
    }
}

impl Features {
    /// Reads what comes after the word `feature`; answers the names, which have to be accepted.
    pub fn read(&mut self, text: &str) -> Vec<String> {
        let settings = settings(text);
        for (name, value) in &settings {
            let is_on = value == "1";
            match name.as_str() {
                "myname" => self.name = Some(value.clone()),
                "ping" => self.ping = is_on,
                "setboard" => self.setboard = is_on,
                "usermove" => self.usermove = is_on,
                "san" => self.san = is_on,
                "memory" => self.memory = is_on,
                "smp" => self.cores = is_on,
                "reuse" => self.reuse = is_on,
                "variants" => {
                    self.variants = value.split(',').map(|name| name.trim().to_owned()).collect();
                }
                "option" => self.options.declare_xboard(value),
                "done" => self.done = Some(is_on),
                _ => {}
            }
        }
        settings.into_iter().map(|(name, _)| name).collect()
    }
}

/// The settings `name=value name="several words"` of a line.
fn settings(text: &str) -> Vec<(String, String)> {
    let mut settings = Vec::new();
    let mut rest = text.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        settings.push((name.trim().to_owned(), value.to_owned()));
        rest = next.trim_start();
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read_with_quoted_values() {
        let mut features = Features::default();
        let names = features.read(
            "ping=1 setboard=1 myname=\"Some Engine 5\" variants=\"normal,fischerandom\" \
             option=\"Multi PV -spin 1 1 9\" reuse=0 done=0",
        );
        assert_eq!(names.join(" "), "ping setboard myname variants option reuse done");
        assert_eq!(features.name.as_deref(), Some("Some Engine 5"));
        assert!(features.ping && features.setboard && !features.usermove && !features.reuse);
        assert!(features.options.has("Multi PV") && features.done == Some(false));
        assert_eq!(features.variants, ["normal", "fischerandom"]);
        features.read("done=1");
        assert_eq!(features.done, Some(true));
    }

    #[test]
    fn broken_features_do_no_harm() {
        for text in ["", "=", "ping", "ping=", "name=\"open", "= = =", "a=\"\"b=1"] {
            Features::default().read(text);
        }
    }
}
