/** Parts of a moment that dialects name alike. */
export type Unit = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second'

export const units: readonly Unit[] = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second']

/** `days`, `MONTH` or `'year'` as a unit; null for what is none. */
export const unitNamed = (text: string): Unit | null =>
  units.find(unit => unit === text.toLowerCase().replace(/s$/, '')) ?? null

/** What a function does that dialects call by different names. Arguments are SQL as it stands in the statement. */
export type Operation =
  | { readonly does: 'call'; readonly name: string; readonly args: readonly string[] }
  | { readonly does: 'part'; readonly unit: Unit; readonly of: string }
  /** `pattern` in the letters of C's strftime. */
  | { readonly does: 'format'; readonly of: string; readonly pattern: string }
  | { readonly does: 'truncate'; readonly unit: Unit; readonly of: string }
  /** Whole units that have passed, or how often the unit's number changed. */
  | {
      readonly does: 'difference'
      readonly unit: Unit
      readonly from: string
      readonly to: string
      readonly counts: 'whole' | 'changes'
    }
  | { readonly does: 'shift'; readonly of: string; readonly amount: number; readonly unit: Unit }
  | { readonly does: 'julian'; readonly of: string }
  | { readonly does: 'today' }
  | { readonly does: 'now' }
  | { readonly does: 'choose'; readonly when: string; readonly then: string; readonly otherwise: string }
  | {
      readonly does: 'join-texts'
      readonly of: string
      readonly isDistinct: boolean
      readonly separator: string
    }
  | { readonly does: 'find'; readonly text: string; readonly within: string }
  | { readonly does: 'beginning'; readonly of: string; readonly length: string }
  | { readonly does: 'ending'; readonly of: string; readonly length: string }
  | { readonly does: 'round'; readonly of: string; readonly digits: string }

/** Writes an operation as a dialect says it; null where it cannot. */
export type WriteOperation = (operation: Operation) => string | null
