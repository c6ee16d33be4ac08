//! The weights of the modern evaluation: (middlegame, endgame) in centipawns.
//!
//! Written by `cargo xtask tune eval`; docs/eval.md says from which positions and with what loss.

super::weights! {
    /// A man: pawn, knight, bishop, rook, queen.
    MATERIAL[5] Material 0..=2400 = [
        (65, 126), (344, 514), (361, 518), (423, 850), (988, 1504),
    ];
    /// A pawn by its square on the folded board.
    PAWN_SQUARES[32] Squares -400..=400 = [
        (0, 0), (0, 0), (0, 0), (0, 0),
        (11, 7), (21, 9), (9, 19), (8, 13),
        (-10, -1), (-4, 1), (-27, 17), (-32, 14),
        (18, 4), (15, -2), (-4, 4), (-9, 2),
        (32, 15), (33, -6), (-1, 13), (23, 2),
        (25, 43), (66, 17), (50, 28), (96, 32),
        (10, -1), (22, -8), (33, 36), (69, 10),
        (0, 0), (0, 0), (0, 0), (0, 0),
    ];
    /// A knight by its square.
    KNIGHT_SQUARES[32] Squares -400..=400 = [
        (-64, -19), (-40, -28), (-44, -28), (-37, -14),
        (-37, -5), (-21, -23), (-27, -28), (-38, -15),
        (-26, -9), (-33, -16), (-29, -26), (-21, -1),
        (-6, 1), (9, 12), (-2, 9), (-13, 17),
        (-24, 24), (-14, 24), (-18, 36), (-4, 37),
        (0, 27), (1, 34), (-5, 41), (25, 46),
        (16, 55), (-4, 30), (19, 31), (83, 32),
        (-136, 0), (-4, 19), (-21, 49), (53, 52),
    ];
    /// A bishop by its square.
    BISHOP_SQUARES[32] Squares -400..=400 = [
        (-28, -43), (14, -10), (-15, 10), (-18, 5),
        (-16, 4), (-28, -34), (5, -6), (-20, 5),
        (-11, 29), (1, 9), (-32, -15), (-3, 17),
        (9, -11), (-10, 18), (-6, 37), (-3, 30),
        (-35, 29), (-4, 25), (6, 30), (6, 36),
        (6, 25), (-4, 39), (-25, 26), (27, 20),
        (14, 43), (-2, 11), (37, 38), (37, 40),
        (-28, 10), (6, 46), (30, 24), (-15, 42),
    ];
    /// A rook by its square.
    ROOK_SQUARES[32] Squares -400..=400 = [
        (-29, -4), (-16, -3), (-17, -8), (-13, -14),
        (-24, 6), (-4, -11), (-4, -3), (0, -6),
        (-14, 17), (2, 18), (-5, 36), (-2, 18),
        (-20, 44), (1, 35), (-18, 44), (-10, 47),
        (-2, 58), (21, 55), (-4, 72), (20, 54),
        (22, 44), (36, 53), (4, 59), (43, 46),
        (39, 28), (22, 49), (43, 33), (59, 11),
        (20, 51), (61, 47), (-3, 62), (19, 52),
    ];
    /// A queen by its square.
    QUEEN_SQUARES[32] Squares -400..=400 = [
        (6, -17), (2, -39), (-3, -15), (-2, -6),
        (-15, -32), (7, -44), (7, -37), (7, -13),
        (-3, 2), (-6, 34), (13, 0), (3, 12),
        (-8, 47), (12, 11), (-9, 54), (-27, 71),
        (-3, 68), (-3, 79), (-26, 100), (-10, 81),
        (15, 43), (5, 65), (-10, 92), (5, 87),
        (5, 59), (0, 52), (2, 58), (23, 56),
        (20, 18), (58, 24), (21, 33), (19, 10),
    ];
    /// A king by its square.
    KING_SQUARES[32] Squares -400..=400 = [
        (17, -101), (1, -65), (-4, -71), (-25, -69),
        (13, -62), (0, -45), (-20, -51), (-39, -42),
        (-8, -49), (-14, -30), (-27, -23), (-75, -8),
        (-50, -20), (-13, -14), (-41, -2), (-73, 9),
        (-83, 12), (-10, 26), (-73, 46), (-55, 41),
        (30, 14), (-15, 55), (-33, 64), (-51, 45),
        (-47, 5), (-88, 63), (-53, 49), (-76, 32),
        (-121, -62), (-91, 53), (-118, 8), (-99, 27),
    ];
    /// A pawn without own pawns on the files beside it, by its file's distance from the edge.
    ISOLATED[4] Pawns -150..=100 = [
        (22, -14), (17, -14), (13, -7), (6, 1),
    ];
    /// An isolated or backward pawn with no enemy pawn ahead of it.
    WEAK_UNOPPOSED[1] Pawns -150..=100 = [
        (-19, -9),
    ];
    /// A pawn behind another of its own side: with a neighbour, without.
    DOUBLED[2] Pawns -150..=100 = [
        (1, -19), (-11, -24),
    ];
    /// A pawn that its neighbours have left behind and that cannot safely advance.
    BACKWARD[1] Pawns -150..=100 = [
        (-2, -4),
    ];
    /// A pawn with an own pawn beside it, by its rank.
    PHALANX[8] Pawns -100..=300 = [
        (0, 0), (2, -5), (19, 4), (15, 14), (26, 40), (118, 96), (84, 98), (0, 0),
    ];
    /// A protecting pawn of a pawn, by the protected one's rank.
    SUPPORTED[8] Pawns -100..=300 = [
        (0, 0), (0, 0), (26, 8), (25, 6), (16, 20), (7, 55), (120, 10), (0, 0),
    ];
    /// A pawn that its neighbours can help to pass, by its rank.
    CANDIDATE[8] Pawns -100..=300 = [
        (0, 0), (5, -11), (-5, -4), (-4, 15), (3, 30), (-3, 45), (0, 0), (0, 0),
    ];
    /// A passed pawn, by its rank.
    PASSED[8] Passed -100..=500 = [
        (0, 0), (27, 38), (-61, 60), (-7, 68), (14, 61), (93, 34), (139, 128), (0, 0),
    ];
    /// A passed pawn, by its file's distance from the edge.
    PASSED_FILE[4] Passed -100..=100 = [
        (-13, 25), (-13, 26), (-4, 2), (-3, -21),
    ];
    /// A king's move between the own king and the square ahead of a passed pawn, by its rank.
    PASSED_OWN_KING[8] Passed -60..=60 = [
        (0, 0), (-6, 0), (3, -11), (1, -17), (-4, -14), (-24, -4), (-13, -7), (0, 0),
    ];
    /// The same of the enemy king.
    PASSED_ENEMY_KING[8] Passed -60..=60 = [
        (0, 0), (-4, -7), (4, -3), (3, 7), (3, 19), (17, 24), (13, 24), (0, 0),
    ];
    /// Nothing on the square ahead of a passed pawn, by its rank.
    PASSED_FREE[8] Passed -100..=300 = [
        (0, 0), (0, 0), (13, -14), (-17, -1), (0, -1), (-5, 14), (84, 32), (0, 0),
    ];
    /// That square is free and not attacked, by the pawn's rank.
    PASSED_SAFE_STEP[8] Passed -100..=300 = [
        (0, 0), (0, 0), (-9, 19), (-3, 8), (14, 11), (48, -5), (30, 23), (0, 0),
    ];
    /// No square on the way is attacked or taken, by the pawn's rank.
    PASSED_SAFE_PATH[8] Passed -100..=400 = [
        (0, 0), (0, 0), (-54, 18), (-15, 32), (19, 26), (48, 23), (20, 23), (0, 0),
    ];
    /// A rook or queen behind a passed pawn: an own one, an enemy one.
    PASSED_ROOK_BEHIND[2] Passed -100..=150 = [
        (1, 25), (-32, -36),
    ];
    /// The enemy has no piece but its king, which is too far away.
    PASSED_UNSTOPPABLE[1] Passed 150..=900 = [
        (150, 150),
    ];
    /// A knight by the squares it can go to.
    KNIGHT_MOBILITY[9] Mobility -300..=200 = [
        (-32, 53), (-26, -43), (-16, 39), (-6, 50), (1, 69), (7, 80), (13, 90), (22, 89),
        (31, 86),
    ];
    /// A bishop by the squares it can go to.
    BISHOP_MOBILITY[14] Mobility -300..=200 = [
        (-26, 7), (-23, -27), (-6, 16), (0, 33), (6, 45), (11, 57), (12, 67), (16, 66),
        (12, 80), (24, 73), (28, 72), (53, 59), (47, 63), (63, 45),
    ];
    /// A rook by the squares it can go to.
    ROOK_MOBILITY[15] Mobility -300..=250 = [
        (-48, -105), (-37, -37), (-19, -11), (-17, 22), (-18, 47), (-16, 56), (-14, 62), (-8, 69),
        (-3, 71), (-3, 84), (3, 84), (1, 96), (12, 88), (-3, 106), (18, 98),
    ];
    /// A queen by the squares it can go to.
    QUEEN_MOBILITY[28] Mobility -300..=300 = [
        (-3, -35), (-1, -6), (-6, -22), (-6, -82), (-1, -41), (-4, 22), (-2, 43), (-5, 58),
        (3, 53), (5, 64), (4, 78), (9, 72), (4, 91), (3, 105), (4, 108), (5, 107),
        (0, 123), (14, 104), (22, 89), (20, 88), (31, 74), (23, 59), (36, 69), (37, 62),
        (20, 32), (17, 37), (6, 36), (15, 52),
    ];
    /// A knight that no pawn can chase away: alone, protected by a pawn.
    KNIGHT_OUTPOST[2] Knights -60..=150 = [
        (24, -19), (28, -4),
    ];
    /// A knight or bishop with a pawn right ahead of it.
    BEHIND_PAWN[2] Knights -60..=80 = [
        (12, 30), (10, 17),
    ];
    /// A king's move between a piece and its king: knight, bishop.
    KING_DISTANCE[2] Knights -40..=40 = [
        (-7, -6), (-4, -2),
    ];
    /// An own pawn beside a knight, more than five or fewer.
    KNIGHT_PAWNS[1] Knights -40..=40 = [
        (0, 10),
    ];
    /// A bishop that no pawn can chase away: alone, protected by a pawn.
    BISHOP_OUTPOST[2] Bishops -60..=150 = [
        (19, -5), (31, 13),
    ];
    /// Two bishops.
    BISHOP_PAIR[1] Bishops -50..=200 = [
        (22, 71),
    ];
    /// An own pawn on the colour of a bishop; the same for each blocked centre pawn.
    BAD_BISHOP[2] Bishops -60..=40 = [
        (-5, -3), (-1, -4),
    ];
    /// A bishop that sees two centre squares past pawns.
    LONG_DIAGONAL[1] Bishops -60..=100 = [
        (27, 29),
    ];
    /// A bishop on the seventh rank's edge, locked in by a pawn (D57).
    TRAPPED_BISHOP[1] Bishops -400..=50 = [
        (-155, -105),
    ];
    /// A rook on a file without own pawns: with enemy pawns, without any.
    ROOK_FILE[2] Rooks -60..=150 = [
        (3, 1), (13, 8),
    ];
    /// A rook behind an own pawn that cannot move.
    ROOK_CLOSED[1] Rooks -100..=60 = [
        (-9, -4),
    ];
    /// A rook on the seventh rank that finds pawns or shuts in the king.
    ROOK_SEVENTH[1] Rooks -60..=150 = [
        (-44, 38),
    ];
    /// A rook with few squares, shut in beside its king: that may castle, that may not.
    TRAPPED_ROOK[2] Rooks -200..=60 = [
        (18, 20), (-56, 9),
    ];
    /// An own pawn beside a rook, more than five or fewer.
    ROOK_PAWNS[1] Rooks -40..=40 = [
        (-11, 0),
    ];
    /// The nearest own pawn on a file near the king, by the file's distance from the edge and the pawn's rank (0: none).
    SHELTER[32] Shelter -150..=150 = [
        (-20, 21), (7, -26), (20, -8), (-6, 1),
        (7, 10), (22, 18), (79, 4), (0, 0),
        (-19, 7), (44, -3), (10, -10), (-4, 6),
        (-11, 10), (-30, 11), (72, -27), (0, 0),
        (1, 1), (26, -4), (-4, 4), (0, -5),
        (-20, 16), (25, -19), (16, -4), (0, 0),
        (2, 5), (-17, -7), (-3, -4), (-12, 5),
        (3, -7), (-2, -14), (39, -4), (0, 0),
    ];
    /// The nearest enemy pawn on such a file, by its rank as the king's side counts (0: none).
    STORM[32] Shelter -150..=150 = [
        (-17, -17), (72, 37), (-37, 31), (-29, -9),
        (-17, -4), (9, -11), (4, -14), (0, 0),
        (-25, 10), (76, 72), (-43, 45), (-34, 29),
        (-33, 13), (-9, 10), (-9, 7), (0, 0),
        (19, -4), (-72, 87), (-53, 26), (-40, 23),
        (16, -12), (1, 1), (14, -13), (0, 0),
        (-4, 6), (-46, 47), (-63, 16), (0, -14),
        (-12, -3), (12, -4), (-9, 13), (0, 0),
    ];
    /// The same where an own pawn stands right before it.
    STORM_BLOCKED[8] Shelter -150..=150 = [
        (0, 0), (0, 0), (-12, -132), (-9, -11), (4, -18), (-4, -15), (-6, 4), (0, 0),
    ];
    /// A man attacked by a safe pawn: pawn, knight, bishop, rook, queen.
    THREAT_BY_PAWN[5] Threats -60..=300 = [
        (0, 0), (48, 45), (39, 46), (69, 33), (38, -10),
    ];
    /// A man attacked by a knight or bishop.
    THREAT_BY_MINOR[5] Threats -60..=300 = [
        (-1, 27), (26, 38), (35, 14), (64, 16), (34, 35),
    ];
    /// A weak man attacked by a rook.
    THREAT_BY_ROOK[5] Threats -60..=300 = [
        (-2, 26), (22, 32), (28, 17), (-16, 33), (37, 14),
    ];
    /// A weak man attacked by the king.
    THREAT_BY_KING[1] Threats -60..=200 = [
        (41, 17),
    ];
    /// A weak man that is not defended, or attacked twice.
    HANGING[1] Threats -60..=200 = [
        (5, 27),
    ];
    /// A piece that a safe pawn's step would attack.
    PUSH_THREAT[1] Threats -60..=150 = [
        (12, 21),
    ];
    /// A safe square from which a knight, a bishop or rook would attack the queen.
    QUEEN_THREAT[2] Threats -60..=150 = [
        (8, -9), (17, 8),
    ];
    /// A square that the enemy controls weakly and that is attacked too.
    RESTRICTED[1] Threats -30..=60 = [
        (7, -2),
    ];
    /// Safe squares behind the centre, by the pieces that could use them.
    SPACE[1] Space -20..=40 = [
        (9, 4),
    ];
    /// To be on the move.
    TEMPO[1] Tempo -20..=100 = [
        (29, 18),
    ];
    /// A piece that attacks the king's ring: knight, bishop, rook, queen.
    DANGER_ATTACKER[4] Danger -300..=300 = [
        (36, 46), (39, 43), (48, -80), (22, 159),
    ];
    /// An attack on a square beside the king.
    DANGER_RING[1] Danger -300..=300 = [
        (15, 3),
    ];
    /// A weak square of the ring.
    DANGER_WEAK[1] Danger -300..=300 = [
        (16, -7),
    ];
    /// A safe check: knight, bishop, rook, queen.
    DANGER_CHECK[4] Danger -300..=600 = [
        (96, -11), (47, 132), (98, 161), (68, 192),
    ];
    /// A check on a square that is defended.
    DANGER_UNSAFE_CHECK[1] Danger -300..=300 = [
        (28, 62),
    ];
    /// A man pinned to the king.
    DANGER_PINNED[1] Danger -300..=300 = [
        (6, -77),
    ];
    /// A file near the king without own pawns.
    DANGER_OPEN_FILE[1] Danger -300..=300 = [
        (69, 124),
    ];
    /// A square of the king's wing that the enemy attacks; that it attacks twice; that is defended.
    DANGER_FLANK[3] Danger -300..=300 = [
        (21, -42), (8, 2), (-10, 15),
    ];
    /// A knight beside the king.
    DANGER_KNIGHT_GUARD[1] Danger -300..=300 = [
        (7, 34),
    ];
    /// The attacker has no queen.
    DANGER_NO_QUEEN[1] Danger -800..=300 = [
        (-177, -148),
    ];
    /// Every king.
    DANGER_ALWAYS[1] Danger -400..=300 = [
        (-51, 87),
    ];
    /// How well the better side can win: pawns, passed pawns, pawns on both wings, kings apart on files more than on ranks, a king beyond the middle, always.
    WINNABLE[6] Winnable -300..=300 = [
        (0, 3), (0, 13), (0, 143), (0, 2), (0, -43), (0, -160),
    ];
    /// The same where pawns alone are left. (Recorded games hold few won ones: they are resigned.)
    WINNABLE_PAWNS_ALONE[1] Winnable 0..=300 = [
        (0, 0),
    ];
}
