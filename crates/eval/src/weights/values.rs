//! The weights of the modern evaluation: (middlegame, endgame) in centipawns.
//!
//! Written by `cargo xtask tune eval`; docs/lab/evaluation.md says from which positions and with what loss.

super::weights! {
    /// A man: pawn, knight, bishop, rook, queen.
    MATERIAL[5] Material 0..=2400 = [
        (37, 137), (344, 550), (348, 533), (416, 971), (969, 1648),
    ];
    /// Two own men, by kinds: PP, NP, NN, BP, BN, BB, RP and so on to QQ.
    PAIRS[15] Material -15..=15 = [
        (1, 0), (0, 15), (2, -9), (-5, 7), (1, 8), (-8, 2), (-4, 15), (-6, 15),
        (-6, 9), (-1, -15), (-15, 15), (-15, 15), (-15, 15), (-15, -15), (-15, -14),
    ];
    /// An own man and a lesser one of the enemy: NP, BP, BN, RP, RN, RB, QP, QN, QB, QR.
    RIVALS[10] Material -15..=15 = [
        (-5, -1), (-7, 14), (15, -7), (-4, -11), (2, 4), (-15, -15), (-15, 15), (15, 15),
        (15, 3), (-15, 15),
    ];
    /// A pawn by its square, on the board mirrored so that the own king is on the right half.
    PAWN_SQUARES[64] Squares -400..=400 = [
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (-13, 12), (-12, 18), (-6, 25), (-5, 2), (7, 25), (16, 24), (52, 0), (20, 2),
        (-34, 0), (-28, 5), (-49, 27), (-38, 12), (-33, 20), (-3, 7), (17, 1), (-3, 1),
        (-5, 7), (-11, 2), (-22, 8), (-12, 6), (-12, 3), (10, 5), (43, -5), (31, 1),
        (12, 12), (17, -8), (-18, 9), (11, 11), (29, -5), (10, 24), (43, -4), (46, 15),
        (5, 41), (65, 4), (37, 12), (67, 38), (119, 24), (85, 33), (52, 38), (47, 45),
        (50, -22), (5, -29), (-2, 13), (17, 25), (115, 0), (107, 57), (54, 0), (8, 24),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    ];
    /// The same, mirrored so that the enemy king is on the right half.
    PAWN_AIM[64] Squares -400..=400 = [
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (15, -7), (13, -1), (2, -6), (-1, -16), (-8, 15), (-10, 16), (-5, 0), (-31, 6),
        (15, -4), (8, 0), (11, -6), (-10, 2), (3, 1), (-10, 5), (-7, 2), (-28, 4),
        (8, 2), (11, -3), (9, -5), (-13, 6), (5, -2), (-16, 10), (-12, 3), (-15, -4),
        (6, 2), (6, 1), (16, 6), (1, -11), (-7, 11), (-19, 0), (-16, -5), (-18, -4),
        (8, 1), (-9, 9), (-8, 31), (4, -1), (-12, -3), (27, -42), (-2, -1), (-8, 0),
        (-11, 2), (50, 15), (5, 43), (17, -13), (-24, 20), (32, -50), (-38, -31), (53, -2),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    ];
    /// A knight by its square, on the board mirrored so that the own king is on the right half.
    KNIGHT_SQUARES[64] Squares -400..=400 = [
        (-35, -16), (-42, -11), (-33, -14), (-28, -19), (-40, -17), (-47, -44), (-42, -48), (-87, -17),
        (-24, -7), (-19, 11), (-35, -17), (-42, -21), (-32, -14), (-21, -39), (-26, -59), (-43, -3),
        (-30, -2), (-36, -13), (-33, -18), (-30, 8), (-12, -11), (-25, -36), (-32, -23), (-24, -13),
        (-6, 16), (0, 22), (-7, 8), (-13, 21), (-16, 20), (3, 12), (10, 12), (-13, 0),
        (-39, 35), (-24, 33), (-25, 44), (-8, 63), (-2, 22), (-14, 39), (-8, 23), (-18, 32),
        (-25, 36), (-25, 54), (-4, 24), (26, 38), (15, 72), (-12, 64), (25, 25), (9, 42),
        (-1, 78), (0, 34), (19, 31), (84, 29), (79, 48), (6, 47), (-6, 23), (52, 48),
        (-146, -5), (-42, -2), (-34, 52), (22, 48), (106, 70), (-17, 83), (51, 66), (-114, 26),
    ];
    /// The same, mirrored so that the enemy king is on the right half.
    KNIGHT_AIM[64] Squares -400..=400 = [
        (-13, -3), (-2, -12), (-2, -5), (-2, 0), (7, -9), (6, -2), (1, 10), (18, 8),
        (-25, 1), (-21, -5), (-3, -3), (2, -1), (-2, -5), (1, 1), (23, 4), (18, -2),
        (-12, 1), (-9, -3), (-2, -5), (6, -11), (-8, 12), (2, 4), (12, 1), (9, 4),
        (-22, 16), (-25, 11), (-13, -6), (-3, 5), (4, 4), (10, 10), (18, -3), (20, -4),
        (-38, 21), (-8, -9), (-4, -2), (3, 0), (-3, 12), (2, 13), (4, 17), (27, -2),
        (-46, 22), (-13, 6), (-21, 32), (-17, 11), (11, 4), (21, -28), (11, 7), (29, 2),
        (-31, -9), (-22, 26), (-15, 18), (-18, 5), (15, 8), (4, -5), (26, -30), (51, 25),
        (-15, 118), (18, 31), (-45, 20), (11, 21), (13, -8), (37, 17), (-2, -5), (27, -97),
    ];
    /// A bishop by its square, on the board mirrored so that the own king is on the right half.
    BISHOP_SQUARES[64] Squares -400..=400 = [
        (-7, -48), (-4, -13), (-17, 2), (-19, 8), (-17, 1), (-14, 14), (26, 1), (-59, -24),
        (-29, 18), (-45, -23), (14, -13), (-26, -2), (-15, 3), (-11, 0), (-18, -47), (-4, -9),
        (-10, 41), (-5, 28), (-49, -3), (-2, 15), (-5, 13), (-16, -28), (6, -14), (-16, 20),
        (4, 13), (-11, 16), (-5, 40), (0, 23), (-8, 34), (-9, 28), (-12, 23), (4, -31),
        (-51, 56), (0, 19), (-17, 42), (18, 30), (-12, 41), (30, 14), (-13, 35), (-24, 5),
        (-1, 29), (-5, 44), (-31, 36), (23, 5), (28, 35), (-18, 22), (2, 41), (-1, 33),
        (17, 60), (-26, 36), (-2, 56), (6, 48), (55, 42), (69, 33), (20, -5), (7, 37),
        (-52, 48), (3, 47), (14, 46), (-31, 74), (-15, 34), (37, 17), (22, 59), (-10, -5),
    ];
    /// The same, mirrored so that the enemy king is on the right half.
    BISHOP_AIM[64] Squares -400..=400 = [
        (-3, -1), (17, -3), (5, -1), (0, -3), (-1, 1), (-6, -4), (-28, 11), (-5, 15),
        (14, 18), (12, 1), (0, 0), (7, -12), (-5, 4), (-8, 1), (-7, -6), (-13, -18),
        (-7, -1), (6, 1), (7, -1), (0, -12), (-4, 9), (-6, -2), (-8, -2), (4, 6),
        (-18, -1), (-8, -5), (-5, 4), (-9, 1), (5, -4), (3, -8), (5, 7), (6, 7),
        (-16, 14), (-14, 1), (0, 2), (-20, 14), (15, -16), (-1, -3), (7, 3), (9, -8),
        (-28, 26), (-34, 17), (-21, -5), (-15, 8), (17, -12), (24, 12), (43, -14), (11, -14),
        (-21, 26), (5, 2), (10, -11), (-5, 2), (-6, 9), (-23, 27), (-11, 8), (18, -16),
        (-9, 34), (-37, 29), (27, -6), (4, 5), (-20, 20), (-37, 22), (52, -17), (2, -11),
    ];
    /// A rook by its square, on the board mirrored so that the own king is on the right half.
    ROOK_SQUARES[64] Squares -400..=400 = [
        (-30, 4), (-19, 6), (-12, -3), (-15, -7), (-14, -5), (-20, 2), (-14, -5), (-29, -5),
        (-29, 15), (-13, 1), (-17, 10), (-3, 1), (0, 3), (6, -3), (8, -14), (-13, 4),
        (-22, 33), (-21, 36), (-10, 26), (-11, 26), (1, 25), (-6, 65), (24, 12), (-1, 3),
        (-26, 53), (-10, 40), (-26, 49), (-19, 58), (-3, 50), (-9, 49), (16, 39), (-11, 48),
        (-13, 57), (23, 50), (-5, 74), (13, 62), (20, 61), (-10, 86), (17, 74), (2, 76),
        (7, 52), (14, 56), (-14, 67), (51, 36), (24, 76), (26, 66), (60, 61), (42, 42),
        (33, 30), (8, 56), (49, 29), (72, 13), (57, 14), (36, 49), (64, 38), (70, 19),
        (-20, 77), (-3, 71), (-49, 89), (-2, 70), (40, 48), (56, 50), (115, 41), (83, 29),
    ];
    /// The same, mirrored so that the enemy king is on the right half.
    ROOK_AIM[64] Squares -400..=400 = [
        (-2, 16), (-6, 10), (-8, 9), (-4, 12), (0, 1), (2, 1), (1, 2), (4, -12),
        (0, 15), (-10, 2), (1, 4), (-2, 5), (-1, 7), (-5, 10), (8, 10), (6, -9),
        (-7, 10), (-2, -1), (-2, 8), (-1, 8), (-1, 8), (1, 10), (2, 12), (12, -5),
        (11, -4), (-6, 6), (10, 2), (2, 0), (-5, 15), (-6, 11), (11, 3), (-11, 16),
        (11, 9), (-20, 27), (4, 2), (5, 9), (-13, 9), (-11, 16), (17, -15), (-20, 5),
        (2, 12), (3, 15), (-3, 15), (-3, 8), (-8, 12), (6, 1), (-5, -4), (0, -7),
        (4, 9), (23, 3), (16, 3), (14, -5), (-2, 10), (-20, 7), (-7, -6), (20, -14),
        (18, 8), (49, 3), (13, 9), (17, 11), (-18, 4), (-4, 7), (-75, 17), (-2, -3),
    ];
    /// A queen by its square, on the board mirrored so that the own king is on the right half.
    QUEEN_SQUARES[64] Squares -400..=400 = [
        (-6, 15), (-2, -28), (-7, 14), (-7, 4), (9, -25), (-1, -50), (5, -65), (17, -75),
        (-10, -34), (10, -8), (3, -28), (3, -19), (6, -2), (9, -49), (-1, -89), (-19, -48),
        (9, -3), (-7, 32), (10, -2), (8, 3), (-8, 34), (12, 12), (-3, 36), (-8, 2),
        (-8, 41), (0, 36), (-9, 46), (-31, 83), (-20, 75), (-6, 69), (19, 3), (0, 53),
        (-20, 69), (-7, 82), (-33, 116), (12, 64), (-36, 119), (-16, 104), (2, 94), (11, 75),
        (17, 55), (9, 68), (-34, 108), (-15, 98), (11, 106), (14, 99), (-9, 108), (12, 52),
        (-11, 96), (-13, 58), (-33, 87), (26, 63), (12, 78), (27, 53), (18, 47), (29, 48),
        (26, 42), (39, 53), (16, 17), (25, 4), (19, 16), (21, 65), (86, 1), (19, -1),
    ];
    /// The same, mirrored so that the enemy king is on the right half.
    QUEEN_AIM[64] Squares -400..=400 = [
        (9, -6), (-3, 9), (5, -20), (0, -4), (-1, -3), (-11, 17), (2, -24), (-14, -17),
        (-9, 17), (-12, -2), (-4, 5), (0, 8), (-3, -1), (3, -7), (5, -8), (11, -34),
        (-20, 22), (-5, -2), (-5, 21), (-8, 14), (6, -2), (2, -11), (9, 0), (24, -28),
        (0, -7), (-9, 0), (-6, 18), (-1, 18), (6, -1), (11, -11), (6, 16), (9, 6),
        (-2, 18), (-11, 17), (8, 7), (-4, -8), (4, 30), (-5, 13), (11, 1), (1, -9),
        (-12, -1), (-7, -4), (3, 10), (22, -1), (-38, 32), (-4, 15), (-2, 51), (8, 22),
        (-24, -7), (-7, 17), (13, 6), (0, -4), (-9, 33), (-29, 19), (14, -16), (33, 34),
        (-27, -12), (-1, -16), (11, 2), (-21, 52), (28, -52), (-17, 15), (8, 24), (34, 17),
    ];
    /// A king by its square.
    KING_SQUARES[32] Squares -400..=400 = [
        (12, -107), (0, -77), (-13, -78), (-41, -67),
        (8, -68), (-3, -56), (-27, -60), (-43, -47),
        (-14, -52), (-21, -37), (-36, -32), (-72, -13),
        (-61, -19), (-33, -13), (-64, 2), (-81, 12),
        (-113, 33), (-28, 40), (-88, 59), (-22, 43),
        (92, -2), (2, 66), (-18, 77), (-5, 55),
        (-12, 1), (-107, 92), (-20, 67), (-6, 36),
        (-138, -54), (-88, 97), (-104, 31), (-32, 30),
    ];
    /// A pawn without own pawns on the files beside it, by its file's distance from the edge.
    ISOLATED[4] Pawns -150..=100 = [
        (20, -12), (13, -15), (8, -7), (8, 1),
    ];
    /// An isolated or backward pawn with no enemy pawn ahead of it.
    WEAK_UNOPPOSED[1] Pawns -150..=100 = [(-14, -12)];
    /// A pawn behind another of its own side: with a neighbour, without.
    DOUBLED[2] Pawns -150..=100 = [
        (-4, -31), (-8, -34),
    ];
    /// A pawn that its neighbours have left behind and that cannot safely advance.
    BACKWARD[1] Pawns -150..=100 = [(-2, -4)];
    /// A pawn with an own pawn beside it, by its rank.
    PHALANX[8] Pawns -100..=300 = [
        (0, 0), (1, -5), (18, 3), (13, 14), (19, 45), (119, 107), (64, 79), (0, 0),
    ];
    /// A protecting pawn of a pawn, by the protected one's rank.
    SUPPORTED[8] Pawns -100..=300 = [
        (0, 0), (0, 0), (23, 9), (22, 8), (11, 22), (2, 60), (146, -1), (0, 0),
    ];
    /// A pawn that its neighbours can help to pass, by its rank.
    CANDIDATE[8] Pawns -100..=300 = [
        (0, 0), (7, -17), (-3, -6), (-2, 15), (3, 31), (-13, 40), (0, 0), (0, 0),
    ];
    /// A passed pawn, by its rank.
    PASSED[8] Passed -100..=500 = [
        (0, 0), (17, 42), (-82, 72), (-17, 77), (-1, 66), (119, 11), (185, 123), (0, 0),
    ];
    /// A passed pawn, by its file's distance from the edge.
    PASSED_FILE[4] Passed -100..=100 = [
        (-24, 29), (-15, 31), (-2, 3), (-2, -19),
    ];
    /// A king's move between the own king and the square ahead of a passed pawn, by its rank.
    PASSED_OWN_KING[8] Passed -60..=60 = [
        (0, 0), (-6, -1), (2, -13), (0, -18), (-4, -13), (-31, 2), (-22, -1), (0, 0),
    ];
    /// The same of the enemy king.
    PASSED_ENEMY_KING[8] Passed -60..=60 = [
        (0, 0), (1, -9), (12, -6), (9, 5), (7, 18), (19, 25), (10, 20), (0, 0),
    ];
    /// Nothing on the square ahead of a passed pawn, by its rank.
    PASSED_FREE[8] Passed -100..=300 = [
        (0, 0), (0, 0), (15, -18), (-13, 0), (1, 1), (-7, 16), (63, 45), (0, 0),
    ];
    /// That square is free and not attacked, by the pawn's rank.
    PASSED_SAFE_STEP[8] Passed -100..=300 = [
        (0, 0), (0, 0), (-6, 19), (-2, 6), (8, 11), (39, -5), (27, 22), (0, 0),
    ];
    /// No square on the way is attacked or taken, by the pawn's rank.
    PASSED_SAFE_PATH[8] Passed -100..=400 = [
        (0, 0), (0, 0), (-56, 22), (-17, 36), (25, 24), (45, 25), (17, 22), (0, 0),
    ];
    /// A rook or queen behind a passed pawn: an own one, an enemy one.
    PASSED_ROOK_BEHIND[2] Passed -100..=150 = [
        (3, 20), (-28, -41),
    ];
    /// The enemy has no piece but its king, which is too far away.
    PASSED_UNSTOPPABLE[1] Passed 150..=900 = [(150, 150)];
    /// A knight by the squares it can go to.
    KNIGHT_MOBILITY[9] Mobility -300..=200 = [
        (-32, 58), (-24, -32), (-16, 47), (-7, 60), (0, 82), (6, 94), (11, 104), (19, 105),
        (26, 103),
    ];
    /// A bishop by the squares it can go to.
    BISHOP_MOBILITY[14] Mobility -300..=200 = [
        (-28, 11), (-23, -30), (-8, 12), (-4, 30), (3, 45), (7, 58), (8, 70), (13, 71),
        (8, 88), (20, 82), (22, 82), (42, 73), (36, 79), (75, 49),
    ];
    /// A rook by the squares it can go to.
    ROOK_MOBILITY[15] Mobility -300..=250 = [
        (-37, -118), (-33, -23), (-20, 5), (-18, 41), (-19, 67), (-16, 72), (-14, 80), (-9, 87),
        (-4, 89), (-4, 102), (2, 101), (2, 112), (12, 104), (0, 120), (23, 105),
    ];
    /// A queen by the squares it can go to.
    QUEEN_MOBILITY[28] Mobility -300..=300 = [
        (32, 5), (-2, 44), (-6, -2), (-7, -103), (-3, -32), (-7, 35), (-6, 57), (-7, 71),
        (0, 65), (2, 76), (1, 91), (6, 83), (2, 105), (1, 119), (2, 121), (2, 122),
        (-2, 139), (11, 118), (20, 104), (20, 103), (26, 89), (35, 54), (40, 80), (58, 46),
        (48, 2), (36, 19), (-4, 1), (3, 27),
    ];
    /// A knight that no pawn can chase away: alone, protected by a pawn.
    KNIGHT_OUTPOST[2] Knights -60..=150 = [
        (28, -27), (29, -10),
    ];
    /// A knight or bishop with a pawn right ahead of it.
    BEHIND_PAWN[2] Knights -60..=80 = [
        (10, 30), (10, 11),
    ];
    /// A king's move between a piece and its king: knight, bishop.
    KING_DISTANCE[2] Knights -40..=40 = [
        (-2, -12), (-3, -6),
    ];
    /// An own pawn beside a knight, more than five or fewer.
    KNIGHT_PAWNS[1] Knights -40..=40 = [(-2, 5)];
    /// A bishop that no pawn can chase away: alone, protected by a pawn.
    BISHOP_OUTPOST[2] Bishops -60..=150 = [
        (20, -4), (31, 16),
    ];
    /// Two bishops.
    BISHOP_PAIR[1] Bishops -50..=200 = [(28, 74)];
    /// An own pawn on the colour of a bishop; the same for each blocked centre pawn.
    BAD_BISHOP[2] Bishops -60..=40 = [
        (-3, -7), (-1, -4),
    ];
    /// A bishop that sees two centre squares past pawns.
    LONG_DIAGONAL[1] Bishops -60..=100 = [(25, 28)];
    /// A bishop on the seventh rank's edge, locked in by a pawn (D57).
    TRAPPED_BISHOP[1] Bishops -400..=50 = [(-197, -84)];
    /// A rook on a file without own pawns: with enemy pawns, without any.
    ROOK_FILE[2] Rooks -60..=150 = [
        (4, 4), (15, 8),
    ];
    /// A rook behind an own pawn that cannot move.
    ROOK_CLOSED[1] Rooks -100..=60 = [(-7, -4)];
    /// A rook on the seventh rank that finds pawns or shuts in the king.
    ROOK_SEVENTH[1] Rooks -60..=150 = [(-60, 54)];
    /// A rook with few squares, shut in beside its king: that may castle, that may not.
    TRAPPED_ROOK[2] Rooks -200..=60 = [
        (17, 18), (-46, 3),
    ];
    /// An own pawn beside a rook, more than five or fewer.
    ROOK_PAWNS[1] Rooks -40..=40 = [(-7, -7)];
    /// The nearest own pawn on a file near the king, by the file's distance from the edge and the pawn's rank (0: none).
    SHELTER[32] Shelter -150..=150 = [
        (-16, 16), (7, -23), (17, -11), (-9, 8), (-11, 19), (-3, 19), (149, -32), (0, 0),
        (0, -1), (17, 6), (2, -9), (-16, 16), (4, 14), (14, -8), (93, -48), (0, 0),
        (20, -5), (25, -6), (-14, 15), (-6, 9), (-10, 6), (-2, -16), (-23, -35), (0, 0),
        (3, 1), (-8, -9), (1, -1), (0, 6), (9, -3), (-3, -5), (56, -7), (0, 0),
    ];
    /// The nearest enemy pawn on such a file, by its rank as the king's side counts (0: none).
    STORM[32] Shelter -150..=150 = [
        (0, -14), (150, 63), (-49, 41), (-28, -13), (-11, -8), (-5, 2), (-7, -3), (0, 0),
        (-14, 18), (44, 70), (-44, 51), (-38, 35), (-38, 22), (-13, 26), (-11, 17), (0, 0),
        (41, -6), (-61, 62), (-15, -19), (-42, 20), (5, 1), (8, 7), (18, 9), (0, 0),
        (-10, 11), (-69, 79), (-74, 18), (-10, -6), (-15, -2), (4, 5), (-19, 27), (0, 0),
    ];
    /// The same where an own pawn stands right before it.
    STORM_BLOCKED[8] Shelter -150..=150 = [
        (0, 0), (0, 0), (9, -150), (-15, -13), (-2, -14), (-12, -3), (-12, 19), (0, 0),
    ];
    /// A man attacked by a safe pawn: pawn, knight, bishop, rook, queen.
    THREAT_BY_PAWN[5] Threats -60..=300 = [
        (0, 0), (40, 54), (35, 52), (60, 32), (38, -25),
    ];
    /// A man attacked by a knight or bishop.
    THREAT_BY_MINOR[5] Threats -60..=300 = [
        (1, 24), (21, 41), (29, 20), (55, 18), (33, 31),
    ];
    /// A weak man attacked by a rook.
    THREAT_BY_ROOK[5] Threats -60..=300 = [
        (-1, 26), (19, 32), (23, 21), (-14, 30), (27, 25),
    ];
    /// A weak man attacked by the king.
    THREAT_BY_KING[1] Threats -60..=200 = [(38, 10)];
    /// A weak man that is not defended, or attacked twice.
    HANGING[1] Threats -60..=200 = [(4, 28)];
    /// A piece that a safe pawn's step would attack.
    PUSH_THREAT[1] Threats -60..=150 = [(10, 23)];
    /// A safe square from which a knight, a bishop or rook would attack the queen.
    QUEEN_THREAT[2] Threats -60..=150 = [
        (8, -12), (12, 15),
    ];
    /// The enemy queen behind one man on a line with a rook or bishop.
    SHADOWED_QUEEN[1] Threats -60..=150 = [(13, 14)];
    /// A rook on the file of the enemy queen; of the enemy king.
    ROOK_AIM_FILE[2] Threats -60..=150 = [
        (6, -8), (14, -20),
    ];
    /// A square that the enemy controls weakly and that is attacked too.
    RESTRICTED[1] Threats -30..=60 = [(5, 0)];
    /// Safe squares behind the centre, by the pieces that could use them.
    SPACE[1] Space -20..=40 = [(8, -2)];
    /// To be on the move.
    TEMPO[1] Tempo -20..=100 = [(24, 20)];
    /// A piece that attacks the king's ring: knight, bishop, rook, queen.
    DANGER_ATTACKER[4] Danger -300..=300 = [
        (29, -34), (41, 127), (55, -168), (30, 270),
    ];
    /// The pieces that attack the ring together, by their number, from none to five.
    DANGER_CROWD[6] Danger -300..=300 = [
        (15, 91), (-5, 22), (2, -9), (-9, 10), (-9, 0), (21, 1),
    ];
    /// An enemy pawn before the king that has come to the middle or further.
    DANGER_STORM[1] Danger -300..=300 = [(-4, -138)];
    /// A file near the king without an own pawn on its first two squares.
    DANGER_BARE[1] Danger -300..=300 = [(31, 82)];
    /// The attacker is to move.
    DANGER_TURN[1] Danger -300..=300 = [(14, -9)];
    /// An attack on a square beside the king.
    DANGER_RING[1] Danger -300..=300 = [(14, 14)];
    /// A weak square of the ring.
    DANGER_WEAK[1] Danger -300..=300 = [(14, 4)];
    /// A safe check: knight, bishop, rook, queen.
    DANGER_CHECK[4] Danger -300..=600 = [
        (92, -41), (46, 191), (101, 147), (66, 241),
    ];
    /// A check on a square that is defended.
    DANGER_UNSAFE_CHECK[1] Danger -300..=300 = [(29, 80)];
    /// A man pinned to the king.
    DANGER_PINNED[1] Danger -300..=300 = [(3, -157)];
    /// A file near the king without own pawns.
    DANGER_OPEN_FILE[1] Danger -300..=300 = [(69, 124)];
    /// A square of the king's wing that the enemy attacks; that it attacks twice; that is defended.
    DANGER_FLANK[3] Danger -300..=300 = [
        (20, -58), (5, 6), (-13, 4),
    ];
    /// A knight beside the king.
    DANGER_KNIGHT_GUARD[1] Danger -300..=300 = [(-16, 99)];
    /// The attacker has no queen.
    DANGER_NO_QUEEN[1] Danger -800..=300 = [(-188, -255)];
    /// Every king.
    DANGER_ALWAYS[1] Danger -400..=300 = [(-58, 300)];
    /// How well the better side can win: pawns, passed pawns, pawns on both wings, kings apart on files more than on ranks, a king beyond the middle, always.
    WINNABLE[6] Winnable -300..=300 = [
        (0, 4), (0, 11), (0, 168), (0, 1), (0, -46), (0, -227),
    ];
    /// The same where pawns alone are left. (Recorded games hold few won ones: they are resigned.)
    WINNABLE_PAWNS_ALONE[1] Winnable 0..=300 = [(0, 0)];
}
