//! Random writers of offers and products, with failures between the steps, against a plain model: each holder's name.

use std::collections::BTreeMap;
use std::time::Duration;

use pavise_catalog::contract::v1::ReservedNameStatus;
use pavise_testkit::chance::SeededRandom;
use pavise_testkit::runs;
use pavise_testkit::scene::{Engine, WireFault};

use super::scene::{Holder, Scene};

/// Names that the writers fight for.
const NAMES: [&str; 5] = ["", "family-plan", "business-plan", "identity-shield", "gun-owners"];

struct Run {
    scene: Scene,
    chance: SeededRandom,
    holders: Vec<Holder>,
    /// The names as the model has them.
    model: BTreeMap<Holder, String>,
    taken: usize,
    cut: usize,
}

impl Run {
    async fn on(engine: Engine, seed: u64) -> Self {
        let scene = Scene::on(engine).await;
        let mut holders = Vec::new();
        for _ in 0..2 {
            holders.extend([scene.new_offer().await, scene.new_product().await]);
        }
        Self { scene, chance: SeededRandom::new(seed), holders, model: BTreeMap::new(), taken: 0, cut: 0 }
    }

    /// Cuts one of the next calls to the keeper, sometimes.
    fn maybe_cut(&mut self) {
        if self.chance.is_in_percent(30) {
            let how = match self.chance.next_below(20) {
                0 => WireFault::KilledBefore,
                1 => WireFault::KilledAfter,
                number if number % 2 == 0 => WireFault::Before,
                _ => WireFault::After,
            };
            let after = self.chance.next_below(3);
            self.scene.wire.break_after(after, how);
        }
    }

    fn mend(&mut self) {
        self.cut += usize::from(!self.scene.wire.is_uncut());
        self.scene.wire.cancel_cut();
    }

    /// One writer sets a name. The answer tells the model, because the wire to the writer is never cut.
    async fn set(&mut self) {
        let (holder, name) = (self.chance.pick_one(&self.holders).clone(), *self.chance.pick_one(&NAMES));
        self.maybe_cut();
        let answer = self.scene.wire.unless_killed(self.scene.set(&holder, name)).await;
        match answer {
            Some(Ok(())) => self.now_has(holder, name),
            Some(Err(error)) => {
                assert!(error.is_transient() || error.reason() == "NAME_TAKEN", "{error}");
                self.taken += usize::from(!error.is_transient());
            }
            None => {}
        }
        self.mend();
    }

    /// Two writers set names at once, often of one holder.
    async fn race(&mut self) {
        let [(one, first), (other, second)] =
            [(); 2].map(|()| (self.chance.pick_one(&self.holders).clone(), *self.chance.pick_one(&NAMES)));
        let (one_set, other_set) = tokio::join!(self.scene.set(&one, first), self.scene.set(&other, second));
        if one == other {
            // Which of them was last is not known.
            let has = self.scene.name(&one).await;
            assert!([first, second].contains(&has.as_str()) || one_set.is_err() || other_set.is_err());
            self.model.insert(one, has);
            return;
        }
        for (set, holder, name) in [(one_set, one, first), (other_set, other, second)] {
            if set.is_ok() {
                self.now_has(holder, name);
            }
        }
    }

    fn now_has(&mut self, holder: Holder, name: &str) {
        self.model.insert(holder, name.to_owned());
    }

    /// The workers handle some entries, not always in order, and some of them again.
    async fn follow(&mut self) {
        let holder = self.chance.pick_one(&self.holders).clone();
        let entries = self.scene.entries(&holder).await;
        for _ in 0..=self.chance.next_below(3) {
            let entry = self.chance.pick_one(&entries).clone();
            self.maybe_cut();
            let _ = self.scene.wire.unless_killed(self.scene.handle_entry(holder.worker(), &entry)).await;
            self.mend();
        }
        if self.chance.is_in_percent(50) {
            self.scene.follow(&holder).await.unwrap();
        }
    }

    async fn check(&self) {
        let mut seen: BTreeMap<String, &Holder> = BTreeMap::new();
        for holder in &self.holders {
            let has = self.scene.name(holder).await;
            assert_eq!(has, self.model.get(holder).cloned().unwrap_or_default(), "{holder:?}");
            if !has.is_empty() {
                assert_eq!(seen.insert(has.clone(), holder), None, "two holders of {has}");
            }
        }
    }

    /// All workers have done their work, and no reservation is left.
    async fn wait_for_workers(&mut self, occasion: &str) {
        for holder in &self.holders {
            for entry in self.scene.entries(holder).await {
                self.scene.handle_entry(holder.worker(), &entry).await.unwrap();
            }
        }
        self.scene.wait_for_the_end_of_reservations(occasion).await;
        let named = self.model.iter().filter(|(_, name)| !name.is_empty());
        let expected = named.map(|(holder, name)| (name.clone(), (ReservedNameStatus::Held, holder.id().to_owned())));
        assert_eq!(self.scene.kept().await, expected.collect(), "the names are those of the holders");
    }
}

async fn run(engine: Engine, seed: u64, steps: usize) -> (usize, usize) {
    let mut run = Run::on(engine, seed).await;
    for step in 0..steps {
        match run.chance.next_below(10) {
            0..=3 => run.set().await,
            4..=5 => run.race().await,
            6..=8 => run.follow().await,
            _ => run.scene.clock.move_forward(Duration::from_secs(60)),
        }
        run.check().await;
        if step % 40 == 39 {
            run.wait_for_workers(&format!("settled {step}")).await;
        }
    }
    // No name is lost: when nobody has one, each can be had.
    for holder in run.holders.clone() {
        run.scene.set(&holder, "").await.unwrap();
        run.model.clear();
    }
    run.wait_for_workers("cleared").await;
    for (holder, name) in run.holders.clone().iter().zip(NAMES.iter().skip(1)) {
        run.scene.set(holder, name).await.unwrap();
        run.now_has(holder.clone(), name);
    }
    run.wait_for_workers("the end").await;
    (run.taken, run.cut)
}

#[tokio::test]
async fn random_writers_agree_with_the_model() {
    for (engine, quick) in [(Engine::Sqlite, 120), (Engine::Postgres, 40)] {
        let mut all = (0, 0);
        for seed in 1..=runs::run_size(2, 50) {
            let seed = runs::only_seed().unwrap_or(seed as u64);
            println!("{engine:?}: seed {seed}; PAVISE_SEED={seed} runs it");
            let (taken, cut) = run(engine, seed, runs::run_size(quick, 400)).await;
            all = (all.0 + taken, all.1 + cut);
        }
        assert!(all.0 > 0 && all.1 > 0, "names were fought for, and steps failed: {all:?}");
    }
}
