import { makeMismatchCount } from './measures/amiss.ts'
import * as cues from './measures/cues.ts'
import * as directions from './measures/directions.ts'
import * as heads from './measures/head-columns.ts'
import type { MismatchMeasure } from './measures/measure.ts'
import * as unasked from './measures/unasked-parts.ts'
import * as unread from './measures/unread-words.ts'
import * as values from './measures/values.ts'

const singleMeasures: readonly MismatchMeasure[] = [unread, unasked, heads, values, cues, directions].flatMap(
  family => Object.values(family),
)

/** All measures of what a statement and a question say differently; the last one sums up those before it. */
export const mismatchMeasures: readonly MismatchMeasure[] = [
  ...singleMeasures,
  makeMismatchCount(singleMeasures),
]
