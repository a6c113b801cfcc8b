import { type ChooserName, type Course, chooserNames } from './follow-votes.ts'

/** One chooser or the best expert after a number of questions: means over the seeds, and their standard deviation. */
interface CourseEnd {
  /** Share of the questions so far that were answered wrong. */
  readonly error: number
  readonly errorDeviation: number
  /** Mistakes above those of the expert that was best until then; below 0 if it beats every one. */
  readonly regret: number
  readonly regretDeviation: number
}

/** How all stand after a number of questions. */
export interface Checkpoint {
  readonly questions: number
  readonly best: Pick<CourseEnd, 'error' | 'errorDeviation'>
  readonly choosers: Readonly<Record<ChooserName, CourseEnd>>
}

/** How all stand after each of some numbers of questions. */
export const standingsAt = (courses: readonly Course[], questions: readonly number[]): Checkpoint[] =>
  questions.map(count => {
    const at = count - 1
    const best = courses.map(course => bestAt(course, at))
    return {
      questions: count,
      best: {
        error: mean(best) / count,
        errorDeviation: deviation(best) / count,
      },
      choosers: Object.fromEntries(
        chooserNames.map(name => {
          const mistakes = courses.map(course => course.mistakes[name][at] ?? 0)
          const regrets = mistakes.map((one, seed) => one - (best[seed] ?? 0))
          return [
            name,
            {
              ...{ error: mean(mistakes) / count, errorDeviation: deviation(mistakes) / count },
              ...{ regret: mean(regrets), regretDeviation: deviation(regrets) },
            },
          ]
        }),
      ) as Record<ChooserName, CourseEnd>,
    }
  })

/** Mistakes of the expert that made the fewest until a question. */
const bestAt = ({ ofExperts }: Course, at: number): number =>
  Math.min(...[...ofExperts.values()].map(mistakes => mistakes[at] ?? 0))

/**
 * The number of questions after which one curve stays below another to the end; null if it never does. 0 is below from
 * the first question on.
 */
export const crossingOf = (lower: readonly number[], upper: readonly number[]): number | null => {
  const last = lower.findLastIndex((one, at) => one >= (upper[at] ?? 0))
  return last === lower.length - 1 ? null : last + 1
}

export const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length

/** The standard deviation of a sample. */
const deviation = (numbers: readonly number[]): number =>
  numbers.length < 2
    ? 0
    : Math.sqrt(
        numbers.reduce((sum, number) => sum + (number - mean(numbers)) ** 2, 0) / (numbers.length - 1),
      )
