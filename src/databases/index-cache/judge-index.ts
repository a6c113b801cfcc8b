import type { Catalog } from '../../core/catalog.ts'

/** How old an index may become before it is read anew, and how soon what could not be read is tried again. */
export interface RefreshPolicy {
  readonly maxAgeMs: number
  readonly retryMs: number
}

/** What is known of a stored index at a moment. `sameFile` is null for a server, where no file tells of changes. */
export interface IndexState {
  readonly catalog: Catalog
  readonly savedAt: Date
  readonly measuredAt: Date
  readonly sameSchema: boolean
  readonly sameFile: boolean | null
}

/**
 * What to do with a stored index. `all` measures everything anew; `changed` only the tables that are not what they
 * were; `missing` only those without a profile. `before`: it must not be used until that is done. `behind`: it is
 * good enough to be used meanwhile.
 */
export type RefreshDecision =
  | { readonly refresh: 'none' }
  | { readonly refresh: 'all' | 'changed' | 'missing'; readonly when: 'before' | 'behind' }

/**
 * An index older than so many times its age is not used any more, however often commands were too short to bring it
 * up to date.
 */
const expiryFactor = 7

/** Clocks of two machines may differ by so much. What is further ahead was written while a clock was wrong. */
const maxClockSkewMs = 60_000

/**
 * Judges a stored index. Another schema is worked on before anything is asked, since tables may be gone; so are a
 * changed file's rows. Age alone is worked on behind the back of questions.
 */
export const decideRefresh = (
  state: IndexState,
  { maxAgeMs, retryMs }: RefreshPolicy,
  now: Date,
): RefreshDecision => {
  const age = now.getTime() - state.measuredAt.getTime()
  const sinceSaved = now.getTime() - state.savedAt.getTime()
  const isAhead = Math.min(age, sinceSaved) < -maxClockSkewMs
  if (isAhead || state.sameFile === false) return { refresh: 'all', when: 'before' }
  const ages = state.sameFile === null
  if (ages && age >= maxAgeMs * expiryFactor) return { refresh: 'all', when: 'before' }
  if (!state.sameSchema) return { refresh: 'changed', when: 'before' }
  if (ages && age >= maxAgeMs) return { refresh: 'all', when: 'behind' }
  const { tables } = state.catalog
  const missing = tables.filter(table => !isProfiled(table)).length
  if (missing === 0 || sinceSaved < retryMs) return { refresh: 'none' }
  return { refresh: 'missing', when: missing === tables.length ? 'before' : 'behind' }
}

/** Whether a table has been measured; one without columns, or with masked ones alone, has nothing to measure. */
export const isProfiled = ({ columns }: Catalog['tables'][number]): boolean =>
  columns.every(({ masked }) => masked === true) || columns.some(({ profile }) => profile !== null)
