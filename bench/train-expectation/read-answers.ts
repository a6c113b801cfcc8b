import { readQuestionsFile, selectUsable } from '../../src/evaluation/questions-file.ts'
import { openEvaluated } from '../open-evaluated.ts'
import { type KnownAnswer, knownAnswer } from './known-answers.ts'

const limits = { timeoutMs: 30_000, maxRows: 10_000, maxBytes: 100_000_000 }

/** Reads the usable questions of a file, with the catalogs of their SQLite databases. Nothing is executed. */
export const readAnswers = async (input: {
  readonly questions: string
  readonly databases: string
}): Promise<readonly KnownAnswer[]> => {
  const lines = selectUsable(await readQuestionsFile(input.questions))
  const answers: KnownAnswer[] = []
  for (const [id, ofDatabase] of Map.groupBy(lines, line => line.db_id)) {
    const { database, close } = await openEvaluated(input.databases, id, limits)
    await close()
    for (const { question, gold } of ofDatabase) {
      const answer = gold === null ? null : knownAnswer({ database: id, question, gold }, database.catalog)
      if (answer !== null) answers.push(answer)
    }
  }
  return answers
}
