import { z } from 'zod'

/** One promise of bench/scoreboard.json. Its figure is what was last kept, null before the first run. */
export const scoreLineSchema = z.strictObject({
  name: z.string().min(1),
  figure: z.number().nullable(),
  unit: z.string(),
  better: z.enum(['up', 'down']),
  /** How far the figure may get worse, in its own unit. */
  tolerance: z.number().min(0),
  /** Prints JSON. `{temp}` is a folder of this run; a path in ../shared that is missing skips the line. */
  command: z.string().min(1),
  /** Where the figure is in what the command prints: see `readFigure`. */
  read: z.string().min(1),
  /** Quick and the same on a busy machine, so that CI runs it. */
  cheap: z.boolean(),
})

/** One promise and its kept figure. */
export type ScoreLine = z.output<typeof scoreLineSchema>

/** The whole file: where and when the figures were measured, and the promises. */
export const scoreboardSchema = z.strictObject({
  measured: z.strictObject({ day: z.string(), machine: z.string() }),
  lines: z.array(scoreLineSchema),
})

/** The kept scoreboard. */
export type Scoreboard = z.output<typeof scoreboardSchema>

/** What this run found for a line: a figure, a reason why it was skipped, or why it failed. */
export type Outcome = { readonly figure: number } | { readonly skipped: string } | { readonly failed: string }

/** `fell` and `failed` make the command fail. */
export type Verdict = 'same' | 'better' | 'within tolerance' | 'fell' | 'new' | 'skipped' | 'failed'

/** Floating-point noise: 0.3 - 0.1 must count as a fall of exactly 0.2. */
const NOISE = 1e-9

/** Compares a new figure with the kept one. */
export const judgeLine = (
  { figure: kept, better, tolerance }: Pick<ScoreLine, 'figure' | 'better' | 'tolerance'>,
  outcome: Outcome,
): Verdict => {
  if ('skipped' in outcome) return 'skipped'
  if ('failed' in outcome) return 'failed'
  if (kept === null) return 'new'
  const gain = better === 'up' ? outcome.figure - kept : kept - outcome.figure
  if (Math.abs(gain) <= NOISE) return 'same'
  if (gain > 0) return 'better'
  return -gain <= tolerance + NOISE ? 'within tolerance' : 'fell'
}

/** Whether a run with these verdicts has to fail. */
export const isFailure = (verdict: Verdict): boolean => verdict === 'fell' || verdict === 'failed'

/**
 * Reads a figure from JSON: `a.b.c` follows keys (and places of arrays), `x / y` is a share and `x - y` a difference of
 * two such paths. Throws when there is no number.
 */
export const readFigure = (json: unknown, expression: string): number => {
  const [left, operator, right] = expression.split(/ ([/-]) /)
  const first = numberAt(json, left ?? '')
  if (operator === undefined) return first
  const second = numberAt(json, right ?? '')
  return operator === '/' ? first / second : first - second
}

const numberAt = (json: unknown, path: string): number => {
  let at = json
  for (const key of path.split('.')) {
    at = typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[key] : undefined
  }
  if (typeof at !== 'number' || !Number.isFinite(at)) throw new Error(`there is no number at ${path}`)
  return at
}

/** What a command printed: one JSON value, or several lines of JSON as an array. */
export const readJson = (text: string): unknown => {
  const trimmed = text.trim()
  try {
    return JSON.parse(trimmed)
  } catch {
    return trimmed.split('\n').map(line => JSON.parse(line))
  }
}

/** Figures are kept with five digits, so that the file changes only when something changed. */
export const rounded = (figure: number): number => Number(figure.toPrecision(5))
