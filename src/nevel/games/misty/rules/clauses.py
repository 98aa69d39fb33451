"""The clauses of Misty by number: MI_T5 is clause MI-T5. 0 is no refusal at all."""

MI_B1 = 401
MI_B2 = 402
MI_S1 = 403
MI_T1 = 404
MI_T2 = 405
MI_T3 = 406
MI_T4 = 407
MI_T5 = 408
MI_T6 = 409
MI_V1 = 410
MI_A1 = 411
MI_A2 = 412
MI_A3 = 413
MI_A4 = 414
MI_A5 = 415
MI_A6 = 416
MI_A7 = 417
MI_X1 = 418
MI_X2 = 419
MI_X3 = 420
MI_X4 = 421
