import type { Digest } from '../../core/digest.ts'
import type { DigestRun } from '../../core/digest-run.ts'

/** On whose account a run is: who presses pays, and what is due is its owner's. */
export const payerOf = ({ owner }: Pick<Digest, 'owner'>, run: Pick<DigestRun, 'runBy'> | null): string =>
  run?.runBy ?? owner
