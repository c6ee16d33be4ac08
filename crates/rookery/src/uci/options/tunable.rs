//! The parameters of the search as options (feature `tune`), for tuners that speak UCI. They count from
//! the next search on: it begins on a new thread, which takes the values that are set then.

use super::list::{Kind, Value};
use search::parameters::{self, Parameter};
use std::io::{self, Write};

/// Writes the parameters as `uci` lists options.
pub fn write_list(out: &mut impl Write) -> io::Result<()> {
    for Parameter { name, value, min, max, .. } in parameters::all() {
        writeln!(out, "option name {name} type spin default {value} min {min} max {max}")?;
    }
    Ok(())
}

/// Sets a parameter; none if there is none of that name, or what is wrong with the value.
pub fn set(name: &str, text: Option<&str>) -> Option<Result<(), String>> {
    let all = parameters::all();
    let parameter = all.iter().find(|parameter| parameter.name.eq_ignore_ascii_case(name))?;
    let kind = Kind::Spin(parameter.value.into(), parameter.min.into(), parameter.max.into());
    Some(kind.read(parameter.name, text).map(|value| {
        if let Value::Number(number) = value {
            parameters::set(parameter.name, number as i32);
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_an_option_and_a_new_thread_takes_its_value() {
        let parameter = parameters::all()[0];
        let mut list = Vec::new();
        write_list(&mut list).expect("memory can always be written to");
        let list = String::from_utf8_lossy(&list).into_owned();
        assert_eq!(list.lines().count(), parameters::all().len());
        assert_eq!(set(parameter.name, Some(&parameter.max.to_string())), Some(Ok(())));
        let seen = std::thread::spawn(|| parameters::all()[0].value).join();
        assert!(seen.is_ok_and(|value| value == parameter.max));
        assert!(set(parameter.name, Some("many")).is_some_and(|outcome| outcome.is_err()));
        assert!(set("Hash", Some("1")).is_none());
        parameters::set(parameter.name, parameter.value);
    }
}
