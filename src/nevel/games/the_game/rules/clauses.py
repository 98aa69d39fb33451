"""The clauses of The Game and of The Game: Extreme by number: TG_T5 is clause TG-T5. 0 is no refusal at all."""

# The Game
TG_B1 = 201
TG_B2 = 202
TG_S1 = 203
TG_S2 = 204
TG_T1 = 205
TG_T2 = 206
TG_T3 = 207
TG_T4 = 208
TG_T5 = 209
TG_T6 = 210
TG_E1 = 211
TG_E2 = 212
TG_E3 = 213
TG_V1 = 214
TG_H1 = 215
TG_H2 = 216
TG_H3 = 217
TG_V2 = 218

# The Game: Extreme
EX_B1 = 301
EX_B2 = 302
EX_T1 = 303
EX_H1 = 304
EX_L1 = 305
EX_L2 = 306
EX_L3 = 307
EX_L4 = 308
EX_L5 = 309
EX_L6 = 310
EX_I1 = 311
EX_I2 = 312
EX_I3 = 313
EX_I4 = 314
EX_I5 = 315
EX_E1 = 316
EX_E2 = 317
