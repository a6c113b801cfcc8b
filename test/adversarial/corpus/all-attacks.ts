import type { Attack, AttackRow } from '../attack.ts'
import { bombAttacks } from './bombs.ts'
import { fileAttacks } from './files.ts'
import { forgeryAttacks } from './forgeries.ts'
import { injectionAttacks } from './injections.ts'
import { renderingAttacks } from './rendering.ts'
import { scopeAttacks } from './scope.ts'
import { tenantAttacks } from './tenants.ts'
import { writeAttacks } from './writes.ts'

const rows: readonly AttackRow[] = [
  ...writeAttacks,
  ...scopeAttacks,
  ...bombAttacks,
  ...injectionAttacks,
  ...renderingAttacks,
  ...forgeryAttacks,
  ...fileAttacks,
  ...tenantAttacks,
]

/** The whole corpus, each attack with an id of its own. */
export const allAttacks: readonly Attack[] = rows.map((row, i) => ({
  ...row,
  id: `A${String(i + 1).padStart(4, '0')}`,
}))

/** Of a threat with fewer attacks, all are tried. */
const FEW = 21

/** Every `n`th attack of each threat, beginning at a place that depends on the seed; all of few. */
export const sampleAttacks = (n: number, seed = 0): readonly Attack[] =>
  [...Map.groupBy(allAttacks, ({ threat }) => threat).values()].flatMap(ofThreat =>
    ofThreat.length < FEW ? ofThreat : ofThreat.filter((_, i) => (i + seed) % n === 0),
  )
