//! A setting of all parameters of the search.

use search::parameters;

/// The values of all parameters, in the order of [`parameters::all`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings(Vec<i32>);

impl Settings {
    /// As this thread has them: to be asked before any other setting is adopted.
    pub fn usual() -> Settings {
        Settings(parameters::all().iter().map(|parameter| parameter.value).collect())
    }

    /// Changes one by name, within its range; or says what is wrong.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), String> {
        let all = parameters::all();
        let found = all.iter().zip(&mut self.0).find(|(parameter, _)| parameter.name == name);
        let Some((parameter, place)) = found else {
            let names: Vec<&str> = all.iter().map(|parameter| parameter.name).collect();
            return Err(format!("no parameter is called {name:?}; there are {}", names.join(", ")));
        };
        let range = parameter.min..=parameter.max;
        if !range.contains(&value) {
            return Err(format!("{name} lies in {range:?}: {value} does not"));
        }
        *place = value;
        Ok(())
    }

    /// Makes them those of this thread. A build without the feature `tune` has only the usual ones.
    pub fn adopt(&self) {
        #[cfg(feature = "tune")]
        parameters::adopt(&self.0);
    }
}

/// Reads `name=value,name=value`; nothing is the usual setting.
pub fn read_settings(text: &str) -> Result<Settings, String> {
    let mut settings = Settings::usual();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let Some((name, value)) = part.split_once('=') else {
            return Err(format!("expected name=value, not {part:?}"));
        };
        let value = value.trim();
        let number = value.parse().map_err(|_| format!("{name}: {value:?} is no whole number"))?;
        settings.set(name.trim(), number)?;
    }
    Ok(settings)
}

/// Whether this build can play with other settings than the usual ones; or what to do.
pub fn can_be_set() -> Result<(), String> {
    match cfg!(feature = "tune") {
        true => Ok(()),
        false => {
            Err("the parameters are constants in this build; use `--features tune`".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_by_name_and_checked() {
        let first = parameters::all()[0];
        let text = format!(" {} = {} ,", first.name, first.max);
        let settings = read_settings(&text).expect("a name and a value of the table");
        assert_eq!(settings.0[0], first.max);
        assert_eq!(settings.0[1..], Settings::usual().0[1..]);
        assert_eq!(read_settings(""), Ok(Settings::usual()));
        for (text, reason) in [
            ("nonsense=1", "no parameter is called \"nonsense\""),
            ("window_start", "expected name=value"),
            ("window_start=x", "is no whole number"),
            ("window_start=1000000", "lies in"),
        ] {
            let error = read_settings(text).expect_err(text);
            assert!(error.contains(reason), "{error}");
        }
    }
}
