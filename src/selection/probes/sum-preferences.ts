import type { Preference } from './probe.ts'

/** What several findings say together, from -1 (the second is right) to 1 (the first is). */
export const sumPreferences = (preferences: readonly Preference[]): Preference =>
  Math.max(
    -1,
    Math.min(
      1,
      preferences.reduce((sum, one) => sum + one, 0),
    ),
  )
