import type { Clock } from '../../core/clock.ts'
import type { Database } from '../../core/database.ts'
import type { Log } from '../../core/log.ts'
import type { ParseQuestion } from '../../core/reading.ts'
import type { UnderstandQuestion } from '../../core/understanding.ts'
import { exampleQuestions } from './example-questions.ts'

/** Example questions that were tried: each is read without a model, runs, and has rows. */
export type FindExampleQuestions = (database: Database) => Promise<readonly string[]>

/**
 * Makes it. They are tried once as long as what is known of the database does not change, one after the other, under its
 * guard and caps; whoever asks meanwhile waits for the same trial.
 */
export const makeFindExampleQuestions = (deps: {
  readonly understand: UnderstandQuestion
  readonly parse: ParseQuestion
  readonly clock: Clock
  readonly log: Log
}): FindExampleQuestions => {
  const tried = new WeakMap<Database['catalog'], Promise<readonly string[]>>()

  const answers = async (question: string, database: Database): Promise<boolean> => {
    const { catalog, findValues } = database
    const understanding = deps.understand(question, deps.clock)
    const [reading] = deps.parse({ understanding, catalog, findValues }, { limit: 1 })
    const verdict = reading && database.guard(reading.sql)
    if (verdict?.verdict !== 'allow') return false
    return (await database.run(verdict.guarded, {})).rows.length > 0
  }

  const tryAll = async (database: Database): Promise<readonly string[]> => {
    const found: string[] = []
    for (const question of exampleQuestions(database.catalog)) {
      const works = await answers(question, database).catch((error: unknown) => {
        deps.log.warn({ error, question, database: database.name }, 'an example question could not be tried')
        return false
      })
      if (works) found.push(question)
    }
    return found
  }

  return database => {
    const known = tried.get(database.catalog)
    if (known) return known
    const trying = tryAll(database)
    tried.set(database.catalog, trying)
    return trying
  }
}
