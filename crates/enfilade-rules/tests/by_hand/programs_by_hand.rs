//! Programs written by hand: bags with free places, saved and restored; numbers that are only
//! compared; divisions; loops that are thrown at once.

use std::sync::Arc;

use enfilade_model::dice::ScriptedDice;

use super::code::{
    BagItemField, BagRegisterLayout, BinOp, FaceTest, ITEM_MARK_BITS, Instr, OnlyComparedRegister,
    OpenBagLoop, OutcomeRegisterOrConstant, Program, Registers, RegistersSavedAtPoint, SuspendKind,
    SuspendPoint, TestOperand, shift_of_loop_mark,
};
use super::machine::Interpreter;
use super::pool_loop::{FaceComparisonOperand, PoolLoop, PoolSummand};
use super::snapshot::MAX_STATE_NUMBERS;

fn site(at: u32, kind: SuspendKind) -> SuspendPoint {
    SuspendPoint {
        at,
        kind,
        into: 2,
        memory: RegistersSavedAtPoint::default(),
        joins_previous: false,
        face_merge: None,
        face_tests: None,
        compared: Vec::new(),
        span: 0..0,
        names: Vec::new(),
        hidden: Vec::new(),
    }
}

/// Register of the position of the held item.
const CURSOR: u8 = 20;
/// Marks of an item that the loop holds, and of one that it has seen.
const HELD: i64 = 2 << (ITEM_MARK_BITS - 2);
const SEEN: i64 = 1 << (ITEM_MARK_BITS - 2);

/// A bag of three places whose items are the numbers 0 to 3, visited by one loop.
fn bag_of_three() -> Program {
    let open = OpenBagLoop { level: 0, cursor: CURSOR, goes_on: true };
    let mut site = site(0, SuspendKind::Die(6));
    site.memory =
        RegistersSavedAtPoint { registers: vec![10], bags: vec![(0, vec![open])], room: 4 };
    let row = ITEM_MARK_BITS + 2;
    Program {
        bags: vec![BagRegisterLayout { base: 0, size: 3, values: 4, row, ranks: vec![0] }],
        digits: vec![BagItemField {
            bag: 0,
            base: 0,
            shift: ITEM_MARK_BITS,
            mask: 3,
            values: 4,
            least: 0,
        }],
        sites: vec![site],
        sorts: true,
        ..Program::default()
    }
}

fn item(number: i64) -> i64 {
    number << ITEM_MARK_BITS
}

#[test]
fn a_free_place_of_a_bag_is_saved_as_0_and_restored_as_free() {
    assert_eq!(HELD, 2 << shift_of_loop_mark(0));
    let machine = Interpreter::new(Arc::new(bag_of_three()), [].into());
    let mut regs: Registers = [0; 256];
    regs[..3].copy_from_slice(&[item(2) | HELD, -1, item(0)]);
    regs[10] = -7;
    let saved = machine.save_snapshot::<MAX_STATE_NUMBERS>(&regs, 0);
    let saved = saved.unwrap_or_else(|_| panic!("it fits"));
    // An item is three times its number plus its mark, plus 1: 0 + 1 and 2 * 3 + 2 + 1.
    assert_eq!(saved.slots[..5], [-7, 0, 1, 9, 0]);
    let mut restored: Registers = [0; 256];
    machine.restore_registers(&mut restored, &saved);
    assert_eq!(restored[..3], [-1, item(0), item(2) | HELD]);
    assert_eq!((restored[10], restored[usize::from(CURSOR)]), (-7, 2));
}

#[test]
fn a_loop_and_a_count_pass_over_free_places() {
    let program = bag_of_three();
    let mut regs: Registers = [0; 256];
    regs[..3].copy_from_slice(&[-1, item(0), item(2) | HELD]);
    // Both items are 0 or more; the free place would be, too, if it were an item.
    assert_eq!(program.execute_bag_instr(Instr::Count(5, 0, BinOp::Ge, 0), &mut regs), None);
    assert_eq!(regs[5], 2);
    let next = Instr::Next(0, 0, CURSOR, 77);
    assert_eq!(program.execute_bag_instr(next, &mut regs), None);
    assert_eq!(regs[..3], [-1, item(0) | HELD, item(2) | SEEN]);
    assert_eq!(regs[usize::from(CURSOR)], 1);
    assert_eq!(program.execute_bag_instr(next, &mut regs), Some(77));
    assert_eq!(regs[..3], [-1, item(0) | SEEN, item(2) | SEEN]);
    program.execute_bag_instr(Instr::Close(0, 0), &mut regs);
    assert_eq!(regs[..3], [-1, item(0), item(2)]);
}

#[test]
fn a_division_by_0_has_no_result() {
    for (op, a, b, result) in [
        (BinOp::Div, 7, 2, Some(3)),
        (BinOp::Div, -7, 2, Some(-4)),
        (BinOp::DivUp, 7, 2, Some(4)),
        (BinOp::Div, 7, 0, None),
        (BinOp::DivUp, 7, 0, None),
        (BinOp::Mul, 1 << 20, 1 << 20, None),
    ] {
        assert_eq!(op.checked_result(a, b), result, "{op:?} {a} {b}");
    }
}

#[test]
fn a_number_that_is_only_compared_keeps_its_outcomes() {
    // Bound, the number before, and the number after.
    let low = TestOperand::Constant(-40_000);
    for (two, than, now, settled) in [
        // Register 2 holds 7 and is compared with nothing: 7 is the least number of 7 or more.
        (BinOp::Ge, TestOperand::Register(2), 100, 7),
        (BinOp::Gt, TestOperand::Register(2), 100, 8),
        (BinOp::Ge, TestOperand::Constant(5), 5, 5),
        // Of all numbers below a bound that is itself below 16 bits, one just below it.
        (BinOp::Lt, low, -50_000, -40_001),
    ] {
        let mut site = site(0, SuspendKind::Die(6));
        let tests = [FaceTest { two, than }].into();
        site.compared = vec![OnlyComparedRegister { reg: 1, tests }];
        let program = Program { sites: vec![site], ..Program::default() };
        let machine = Interpreter::new(Arc::new(program), [].into());
        let mut regs: Registers = [0; 256];
        (regs[1], regs[2]) = (now, 7);
        machine.settle_compared(&mut regs, 0);
        assert_eq!((regs[1], regs[2]), (settled, 7), "{two:?} {than:?}");
    }
}

const LEFT: u8 = 1;
const FACE: u8 = 2;
const SUM: u8 = 3;
const PASSES: u8 = 4;

/// The loop `while left > 0: roll, add, left -= 1`, with these instructions between the die and
/// the end of the turn.
fn pool_loop(turn: &[Instr]) -> Option<PoolLoop> {
    let end = turn.len() as u16 + 2;
    let mut instrs = vec![Instr::UnlessCmpK(BinOp::Gt, LEFT, 0, end), Instr::Site(0)];
    instrs.extend(turn);
    instrs.extend([Instr::End, Instr::Halt]);
    let program = Program {
        spans: vec![0..0; instrs.len()],
        instrs,
        sites: vec![site(1, SuspendKind::Die(6)), site(end.into(), SuspendKind::End)],
        registers: 8,
        shows: vec![OutcomeRegisterOrConstant::Register(SUM)],
        ..Program::default()
    };
    program.find_pool_loops()[0]
}

#[test]
fn only_a_loop_that_adds_faces_or_outcomes_is_thrown_at_once() {
    let add = |to, a, b| Instr::Bin(BinOp::Add, to, a, b);
    let less = Instr::BinK(BinOp::Sub, LEFT, LEFT, 1);
    let passes = |bound| Instr::Bin(BinOp::Ge, PASSES, FACE, bound);
    let back = Instr::Jump(0);
    for (turn, is_pool) in [
        (vec![add(SUM, SUM, FACE), less, back], true),
        (vec![add(SUM, FACE, SUM), less, back], true),
        (vec![passes(6), add(SUM, SUM, PASSES), less, back], true),
        (vec![Instr::BinK(BinOp::Lt, PASSES, FACE, 3), add(SUM, PASSES, SUM), less, back], true),
        // It adds something else, or to something else.
        (vec![add(SUM, SUM, 5), less, back], false),
        (vec![add(SUM, 5, FACE), less, back], false),
        (vec![add(LEFT, LEFT, FACE), less, back], false),
        (vec![passes(6), add(SUM, SUM, FACE), less, back], false),
        // The bound would change with every turn.
        (vec![passes(SUM), add(SUM, SUM, PASSES), less, back], false),
        (vec![passes(LEFT), add(SUM, SUM, PASSES), less, back], false),
        // It takes two dice a turn, or does not go around.
        (vec![add(SUM, SUM, FACE), Instr::BinK(BinOp::Sub, LEFT, LEFT, 2), back], false),
        (vec![add(SUM, SUM, FACE), less, Instr::Jump(5)], false),
    ] {
        assert_eq!(pool_loop(&turn).is_some(), is_pool, "{turn:?}");
    }
}

#[test]
fn more_dice_than_a_throw_holds_are_rolled_one_by_one() {
    let throw = |left: i64, adds: PoolSummand, faces: &[u8]| {
        let pool = PoolLoop { dice_left: LEFT, sum: SUM, sides: 6, adds, out: 5 };
        let mut regs: Registers = [0; 256];
        (regs[usize::from(LEFT)], regs[usize::from(SUM)]) = (left, 10);
        let thrown = pool.try_throw_remaining_dice(&mut regs, &mut ScriptedDice::new(faces));
        (thrown, regs[usize::from(LEFT)], regs[usize::from(SUM)])
    };
    let five = FaceComparisonOperand::Constant(5);
    assert_eq!(throw(3, PoolSummand::Face, &[1, 5, 6]), (true, 0, 22));
    assert_eq!(throw(3, PoolSummand::Passes(BinOp::Ge, five), &[1, 5, 6]), (true, 0, 12));
    assert_eq!(throw(3, PoolSummand::Passes(BinOp::Le, five), &[1, 5, 6]), (true, 0, 12));
    // Nothing is thrown, and nothing changes.
    for (left, adds) in [
        (300, PoolSummand::Face),
        (-1, PoolSummand::Face),
        (200, PoolSummand::Face),
        (300, PoolSummand::Passes(BinOp::Ge, five)),
        (3, PoolSummand::Passes(BinOp::Eq, five)),
    ] {
        assert_eq!(throw(left, adds, &[]), (false, left, 10), "{left} {adds:?}");
    }
}
