//! The weights of the modern evaluation: (middlegame, endgame) in centipawns.
//!
//! Written by `cargo xtask tune eval`; docs/eval.md says from which positions and with what loss.

super::weights! {
    /// A man: pawn, knight, bishop, rook, queen.
    MATERIAL[5] Material 0..=2400 = [
        (82, 110), (330, 320), (350, 340), (470, 580), (1000, 1050),
    ];
    /// A pawn by its square on the folded board.
    PAWN_SQUARES[32] Squares -400..=400 = [
        (0, 0), (0, 0), (0, 0), (0, 0),
        (-6, 0), (-2, 0), (2, 0), (6, 0),
        (-3, 4), (1, 4), (5, 4), (17, 4),
        (0, 8), (4, 8), (8, 8), (20, 8),
        (3, 12), (7, 12), (11, 12), (23, 12),
        (6, 16), (10, 16), (14, 16), (18, 16),
        (9, 20), (13, 20), (17, 20), (21, 20),
        (0, 0), (0, 0), (0, 0), (0, 0),
    ];
    /// A knight by its square.
    KNIGHT_SQUARES[32] Squares -400..=400 = [
        (-66, -54), (-52, -42), (-38, -30), (-24, -18),
        (-58, -47), (-44, -35), (-30, -23), (-16, -11),
        (-40, -40), (-26, -28), (-12, -16), (2, -4),
        (-32, -33), (-18, -21), (-4, -9), (10, 2),
        (-24, -33), (-10, -21), (4, -9), (18, 2),
        (-32, -40), (-18, -28), (-4, -16), (10, -4),
        (-50, -47), (-36, -35), (-22, -23), (-8, -11),
        (-58, -54), (-44, -42), (-30, -30), (-16, -18),
    ];
    /// A bishop by its square.
    BISHOP_SQUARES[32] Squares -400..=400 = [
        (-21, -20), (-16, -16), (-11, -12), (-6, -8),
        (-18, -17), (-13, -13), (-8, -9), (-3, -5),
        (-15, -14), (-10, -10), (-5, -6), (0, -2),
        (-12, -11), (-7, -7), (-2, -3), (3, 0),
        (-15, -11), (-10, -7), (-5, -3), (0, 0),
        (-18, -14), (-13, -10), (-8, -6), (-3, -2),
        (-21, -17), (-16, -13), (-11, -9), (-6, -5),
        (-24, -20), (-19, -16), (-14, -12), (-9, -8),
    ];
    /// A rook by its square.
    ROOK_SQUARES[32] Squares -400..=400 = [
        (-6, -2), (-2, -2), (2, -2), (6, -2),
        (-6, 0), (-2, 0), (2, 0), (6, 0),
        (-6, 2), (-2, 2), (2, 2), (6, 2),
        (-6, 4), (-2, 4), (2, 4), (6, 4),
        (-6, 6), (-2, 6), (2, 6), (6, 6),
        (-6, 8), (-2, 8), (2, 8), (6, 8),
        (2, 10), (6, 10), (10, 10), (14, 10),
        (-6, 12), (-2, 12), (2, 12), (6, 12),
    ];
    /// A queen by its square.
    QUEEN_SQUARES[32] Squares -400..=400 = [
        (-2, -20), (0, -12), (2, -4), (4, 4),
        (-1, -15), (1, -7), (3, 1), (5, 9),
        (0, -10), (2, -2), (4, 6), (6, 14),
        (-1, -5), (1, 3), (3, 11), (5, 19),
        (-2, 0), (0, 8), (2, 16), (4, 24),
        (-3, -5), (-1, 3), (1, 11), (3, 19),
        (-4, -10), (-2, -2), (0, 6), (2, 14),
        (-5, -15), (-3, -7), (-1, 1), (1, 9),
    ];
    /// A king by its square.
    KING_SQUARES[32] Squares -400..=400 = [
        (40, -48), (28, -38), (16, -28), (4, -18),
        (10, -41), (-2, -31), (-14, -21), (-26, -11),
        (-10, -34), (-22, -24), (-34, -14), (-46, -4),
        (-30, -27), (-42, -17), (-54, -7), (-66, 3),
        (-50, -20), (-62, -10), (-74, 0), (-86, 10),
        (-70, -27), (-82, -17), (-94, -7), (-106, 3),
        (-90, -34), (-102, -24), (-114, -14), (-126, -4),
        (-110, -41), (-122, -31), (-134, -21), (-146, -11),
    ];
    /// A pawn without own pawns on the files beside it, by its file's distance from the edge.
    ISOLATED[4] Pawns -150..=100 = [
        (-6, -8), (-8, -12), (-12, -16), (-14, -16),
    ];
    /// An isolated or backward pawn with no enemy pawn ahead of it.
    WEAK_UNOPPOSED[1] Pawns -150..=100 = [
        (-12, -14),
    ];
    /// A pawn behind another of its own side: with a neighbour, without.
    DOUBLED[2] Pawns -150..=100 = [
        (-5, -20), (-10, -30),
    ];
    /// A pawn that its neighbours have left behind and that cannot safely advance.
    BACKWARD[1] Pawns -150..=100 = [
        (-8, -12),
    ];
    /// A pawn with an own pawn beside it, by its rank.
    PHALANX[8] Pawns -100..=300 = [
        (0, 0), (4, 0), (8, 4), (14, 12), (30, 30), (60, 80), (100, 120), (0, 0),
    ];
    /// A protecting pawn of a pawn, by the protected one's rank.
    SUPPORTED[8] Pawns -100..=300 = [
        (0, 0), (0, 0), (12, 8), (10, 8), (16, 16), (40, 50), (80, 80), (0, 0),
    ];
    /// A pawn that its neighbours can help to pass, by its rank.
    CANDIDATE[8] Pawns -100..=300 = [
        (0, 0), (4, 4), (6, 8), (10, 20), (24, 40), (50, 70), (0, 0), (0, 0),
    ];
    /// A passed pawn, by its rank.
    PASSED[8] Passed -100..=500 = [
        (0, 0), (0, 10), (0, 16), (8, 36), (28, 64), (60, 110), (90, 160), (0, 0),
    ];
    /// A passed pawn, by its file's distance from the edge.
    PASSED_FILE[4] Passed -100..=100 = [
        (0, 8), (0, 4), (-6, -2), (-8, -6),
    ];
    /// A king's move between the own king and the square ahead of a passed pawn, by its rank.
    PASSED_OWN_KING[8] Passed -60..=60 = [
        (0, 0), (0, 0), (0, -2), (0, -4), (0, -7), (0, -10), (0, -10), (0, 0),
    ];
    /// The same of the enemy king.
    PASSED_ENEMY_KING[8] Passed -60..=60 = [
        (0, 0), (0, 0), (0, 3), (0, 7), (0, 13), (0, 18), (0, 20), (0, 0),
    ];
    /// Nothing on the square ahead of a passed pawn, by its rank.
    PASSED_FREE[8] Passed -100..=300 = [
        (0, 0), (0, 0), (0, 4), (4, 8), (8, 14), (16, 26), (30, 50), (0, 0),
    ];
    /// That square is free and not attacked, by the pawn's rank.
    PASSED_SAFE_STEP[8] Passed -100..=300 = [
        (0, 0), (0, 0), (0, 4), (4, 10), (8, 20), (16, 30), (30, 50), (0, 0),
    ];
    /// No square on the way is attacked or taken, by the pawn's rank.
    PASSED_SAFE_PATH[8] Passed -100..=400 = [
        (0, 0), (0, 0), (0, 4), (4, 10), (8, 20), (16, 40), (20, 50), (0, 0),
    ];
    /// A rook or queen behind a passed pawn: an own one, an enemy one.
    PASSED_ROOK_BEHIND[2] Passed -100..=150 = [
        (4, 16), (-8, -20),
    ];
    /// The enemy has no piece but its king, which is too far away.
    PASSED_UNSTOPPABLE[1] Passed -100..=900 = [
        (0, 350),
    ];
    /// A knight by the squares it can go to.
    KNIGHT_MOBILITY[9] Mobility -300..=200 = [
        (-60, -70), (-30, -36), (-18, -22), (-9, -12), (0, -2), (7, 6), (13, 13), (19, 19),
        (24, 26),
    ];
    /// A bishop by the squares it can go to.
    BISHOP_MOBILITY[14] Mobility -300..=200 = [
        (-45, -60), (-21, -30), (-12, -18), (-4, -9), (3, 0), (8, 7), (13, 13), (18, 19),
        (22, 24), (27, 30), (30, 34), (34, 39), (38, 43), (41, 48),
    ];
    /// A rook by the squares it can go to.
    ROOK_MOBILITY[15] Mobility -300..=250 = [
        (-50, -75), (-32, -37), (-25, -22), (-19, -10), (-14, 1), (-10, 9), (-6, 18), (-3, 25),
        (0, 32), (4, 39), (6, 45), (9, 51), (12, 56), (14, 62), (17, 67),
    ];
    /// A queen by the squares it can go to.
    QUEEN_MOBILITY[28] Mobility -300..=300 = [
        (-30, -60), (-19, -34), (-15, -24), (-11, -15), (-8, -8), (-6, -2), (-4, 3), (-1, 8),
        (1, 13), (3, 18), (4, 22), (6, 26), (8, 30), (9, 33), (11, 37), (12, 40),
        (14, 44), (15, 47), (16, 50), (17, 53), (19, 56), (20, 59), (21, 61), (22, 64),
        (23, 67), (25, 70), (26, 72), (27, 75),
    ];
    /// A knight that no pawn can chase away: alone, protected by a pawn.
    KNIGHT_OUTPOST[2] Knights -60..=150 = [
        (10, 6), (28, 18),
    ];
    /// A knight or bishop with a pawn right ahead of it.
    BEHIND_PAWN[2] Knights -60..=80 = [
        (8, 2), (6, 2),
    ];
    /// A king's move between a piece and its king: knight, bishop.
    KING_DISTANCE[2] Knights -40..=40 = [
        (-3, -2), (-2, -1),
    ];
    /// An own pawn beside a knight, more than five or fewer.
    KNIGHT_PAWNS[1] Knights -40..=40 = [
        (2, 4),
    ];
    /// A bishop that no pawn can chase away: alone, protected by a pawn.
    BISHOP_OUTPOST[2] Bishops -60..=150 = [
        (6, 4), (20, 8),
    ];
    /// Two bishops.
    BISHOP_PAIR[1] Bishops -50..=200 = [
        (26, 60),
    ];
    /// An own pawn on the colour of a bishop; the same for each blocked centre pawn.
    BAD_BISHOP[2] Bishops -60..=40 = [
        (-2, -4), (-1, -2),
    ];
    /// A bishop that sees two centre squares past pawns.
    LONG_DIAGONAL[1] Bishops -60..=100 = [
        (18, 4),
    ];
    /// A bishop on the seventh rank's edge, locked in by a pawn (D57).
    TRAPPED_BISHOP[1] Bishops -400..=50 = [
        (-90, -90),
    ];
    /// A rook on a file without own pawns: with enemy pawns, without any.
    ROOK_FILE[2] Rooks -60..=150 = [
        (14, 8), (30, 12),
    ];
    /// A rook behind an own pawn that cannot move.
    ROOK_CLOSED[1] Rooks -100..=60 = [
        (-8, -4),
    ];
    /// A rook on the seventh rank that finds pawns or shuts in the king.
    ROOK_SEVENTH[1] Rooks -60..=150 = [
        (4, 24),
    ];
    /// A rook with few squares, shut in beside its king: that may castle, that may not.
    TRAPPED_ROOK[2] Rooks -200..=60 = [
        (-15, -5), (-40, -10),
    ];
    /// An own pawn beside a rook, more than five or fewer.
    ROOK_PAWNS[1] Rooks -40..=40 = [
        (-2, -3),
    ];
    /// The nearest own pawn on a file near the king, by the file's distance from the edge and the pawn's rank (0: none).
    SHELTER[32] Shelter -150..=150 = [
        (-30, 0), (26, 0), (20, 0), (4, 0),
        (0, 0), (-6, 0), (-10, 0), (0, 0),
        (-30, 0), (32, 0), (20, 0), (4, 0),
        (0, 0), (-6, 0), (-10, 0), (0, 0),
        (-24, 0), (26, 0), (20, 0), (4, 0),
        (0, 0), (-6, 0), (-10, 0), (0, 0),
        (-24, 0), (26, 0), (20, 0), (4, 0),
        (0, 0), (-6, 0), (-10, 0), (0, 0),
    ];
    /// The nearest enemy pawn on such a file, by its rank as the king's side counts (0: none).
    STORM[32] Shelter -150..=150 = [
        (0, 0), (-10, 0), (-28, 0), (-26, 0),
        (-12, 0), (-4, 0), (0, 0), (0, 0),
        (0, 0), (-10, 0), (-28, 0), (-26, 0),
        (-12, 0), (-4, 0), (0, 0), (0, 0),
        (0, 0), (-10, 0), (-28, 0), (-26, 0),
        (-12, 0), (-4, 0), (0, 0), (0, 0),
        (0, 0), (-10, 0), (-28, 0), (-26, 0),
        (-12, 0), (-4, 0), (0, 0), (0, 0),
    ];
    /// The same where an own pawn stands right before it.
    STORM_BLOCKED[8] Shelter -150..=150 = [
        (0, 0), (0, 0), (-20, -16), (-4, -6), (0, -4), (0, 0), (0, 0), (0, 0),
    ];
    /// A man attacked by a safe pawn: pawn, knight, bishop, rook, queen.
    THREAT_BY_PAWN[5] Threats -60..=300 = [
        (0, 0), (60, 40), (60, 50), (80, 40), (70, 40),
    ];
    /// A man attacked by a knight or bishop.
    THREAT_BY_MINOR[5] Threats -60..=300 = [
        (4, 20), (30, 30), (34, 34), (60, 50), (50, 60),
    ];
    /// A weak man attacked by a rook.
    THREAT_BY_ROOK[5] Threats -60..=300 = [
        (2, 22), (24, 30), (28, 34), (0, 16), (60, 30),
    ];
    /// A weak man attacked by the king.
    THREAT_BY_KING[1] Threats -60..=200 = [
        (10, 36),
    ];
    /// A weak man that is not defended, or attacked twice.
    HANGING[1] Threats -60..=200 = [
        (30, 20),
    ];
    /// A piece that a safe pawn's step would attack.
    PUSH_THREAT[1] Threats -60..=150 = [
        (20, 14),
    ];
    /// A safe square from which a knight, a bishop or rook would attack the queen.
    QUEEN_THREAT[2] Threats -60..=150 = [
        (8, 6), (24, 10),
    ];
    /// A square that the enemy controls weakly and that is attacked too.
    RESTRICTED[1] Threats -30..=60 = [
        (3, 3),
    ];
    /// Safe squares behind the centre, by the pieces that could use them.
    SPACE[1] Space -20..=40 = [
        (4, 0),
    ];
    /// To be on the move.
    TEMPO[1] Tempo -20..=100 = [
        (22, 18),
    ];
    /// A piece that attacks the king's ring: knight, bishop, rook, queen.
    DANGER_ATTACKER[4] Danger -300..=300 = [
        (50, 20), (36, 14), (36, 14), (24, 10),
    ];
    /// An attack on a square beside the king.
    DANGER_RING[1] Danger -300..=300 = [
        (22, 10),
    ];
    /// A weak square of the ring.
    DANGER_WEAK[1] Danger -300..=300 = [
        (50, 20),
    ];
    /// A safe check: knight, bishop, rook, queen.
    DANGER_CHECK[4] Danger -300..=600 = [
        (180, 60), (120, 40), (220, 60), (160, 60),
    ];
    /// A check on a square that is defended.
    DANGER_UNSAFE_CHECK[1] Danger -300..=300 = [
        (30, 8),
    ];
    /// A man pinned to the king.
    DANGER_PINNED[1] Danger -300..=300 = [
        (24, 8),
    ];
    /// A file near the king without own pawns.
    DANGER_OPEN_FILE[1] Danger -300..=300 = [
        (24, 0),
    ];
    /// A square of the king's wing that the enemy attacks; that it attacks twice; that is defended.
    DANGER_FLANK[3] Danger -300..=300 = [
        (6, 2), (8, 2), (-5, -2),
    ];
    /// A knight beside the king.
    DANGER_KNIGHT_GUARD[1] Danger -300..=300 = [
        (-30, -8),
    ];
    /// The attacker has no queen.
    DANGER_NO_QUEEN[1] Danger -800..=300 = [
        (-220, -40),
    ];
    /// Every king.
    DANGER_ALWAYS[1] Danger -400..=300 = [
        (-60, -30),
    ];
    /// How well the better side can win: pawns, passed pawns, pawns on both wings, kings apart on files more than on ranks, a king beyond the middle, pawns alone, always.
    WINNABLE[7] Winnable -300..=300 = [
        (0, 8), (0, 6), (0, 30), (0, 6), (0, 16), (0, 40), (0, -90),
    ];
}
