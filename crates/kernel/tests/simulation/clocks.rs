//! Clocks of processes that disagree by hours have no effect on leases.

use std::sync::atomic::Ordering;

use crate::cluster::SECOND;
use crate::peers::WORKER;
use crate::unreadable::calm;

#[test]
fn processes_whose_clocks_disagree_take_no_lease_from_each_other() {
    let mut simulation = calm();
    for (process, hours) in simulation.processes.iter().zip([-1, 0, 1]) {
        process.ahead.store(hours * 3_600 * SECOND, Ordering::SeqCst);
    }
    simulation.pass(5);
    let holder = || simulation.cluster.lock().unwrap().database.leases.get(WORKER).cloned().unwrap().0;
    let first = holder();
    simulation.pass(300);
    let cluster = simulation.cluster.lock().unwrap();
    assert_eq!((cluster.database.leases[WORKER].0.as_str(), cluster.database.takeovers), (first.as_str(), 0));
}
