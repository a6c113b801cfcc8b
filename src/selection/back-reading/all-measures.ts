import * as cues from './measures/cues.ts'
import * as directions from './measures/directions.ts'
import * as heads from './measures/head-columns.ts'
import type { Measure } from './measures/measure.ts'
import * as unasked from './measures/unasked-parts.ts'
import * as unread from './measures/unread-words.ts'
import * as values from './measures/values.ts'

/** All measures of what a statement and a question say differently. */
export const backReadingMeasures: readonly Measure[] = [
  unread,
  unasked,
  heads,
  values,
  cues,
  directions,
].flatMap(family => Object.values(family))
