//! Who is asked for work: the strategy says so, and no machine has to guess.

use parallel::strategy::{SplitRules, Teams, TeamsSettings, Ybw, YbwSettings};
use parallel::{Action, Context, Message, Peer, Strategy, TaskId, Time};
use search::Profile;
use search::switches::ChosenRules;
use search::walk::{SplitRule, Walk};
use table::AnyTable;

fn rules() -> SplitRules {
    SplitRules::uniform(SplitRule { grain: 1, history_from: 9 })
}

/// What the strategy of an idle processor wants done when it is called at a time.
fn call(now: Time, call: impl FnOnce(&mut Context<'_>)) -> Vec<Action> {
    let table = AnyTable::new(Profile::Plain.policy(), 1).expect("a megabyte is there");
    let mut walk = Walk::new(ChosenRules(Profile::Plain.switches()), Profile::Plain.evaluator());
    let (mut table, mut actions) = (&table, Vec::new());
    call(&mut Context::new(now, &mut walk.session(&mut table, None), &mut actions));
    actions
}

fn ybw(me: u32, hop_limit: Option<u32>) -> Ybw {
    let settings = YbwSettings { hop_limit, ..YbwSettings::default() };
    Ybw::new(Peer(me), 2, Vec::new(), settings, rules(), 1)
}

#[test]
fn an_idle_processor_asks_any_other() {
    let actions = call(0, |context| ybw(1, Some(4)).begin(None, context));
    let [Action::AskAny { to: Peer::FIRST, origin: Peer(1), ticket: 1, hops: 0 }] = actions[..]
    else {
        panic!("{actions:?}");
    };
}

#[test]
fn a_request_goes_back_after_its_hops_and_waits_where_they_cost_nothing() {
    let request = |hops| Message::Request { origin: Peer(1), ticket: 7, hops, within: None };
    let pass = |hop_limit, hops| {
        let mut strategy = ybw(0, hop_limit);
        let mut actions = call(0, |context| strategy.handle(Peer(1), request(hops), context));
        actions.remove(0)
    };
    // With two processors there is no other to pass it on to.
    for hops in [0, 4] {
        let refused = pass(Some(4), hops);
        let Action::Send(Peer(1), Message::Refused { ticket: 7 }) = refused else {
            panic!("{refused:?}");
        };
    }
    let shown = pass(None, 1_000_000);
    let Action::AskAny { origin: Peer(1), ticket: 7, hops: 1_000_001, .. } = shown else {
        panic!("{shown:?}");
    };
}

#[test]
fn a_forgotten_member_of_a_team_turns_to_the_first_alone() {
    let usual = TeamsSettings::for_machine(1, 1);
    let settings = TeamsSettings { patience_ns: Some(100), ..usual };
    let mut strategy = Teams::new(Peer(1), 3, settings, rules());
    call(0, |context| strategy.begin(None, context));
    let actions = call(1_000_000, |context| strategy.timeout(context));
    // Without the work that is meant it would be for any peer, and the first would never see it.
    let asks_first = |action: &Action| match action {
        Action::Send(Peer::FIRST, Message::Request { origin, within, .. }) => {
            (*origin, *within) == (Peer(1), Some(TaskId::ROOT))
        }
        _ => false,
    };
    assert!(actions.iter().any(asks_first), "{actions:?}");
}
