import { join } from 'node:path'
import type { Database } from '../../src/domain/database.ts'
import type { Clock } from '../../src/domain/question-context.ts'
import type { ResultTable } from '../../src/domain/result.ts'
import type { RunStatement } from '../../src/evaluation/evaluation-database.ts'
import { sameRows } from '../../src/evaluation/execution-accuracy.ts'
import { coversRows } from '../../src/evaluation/score-question.ts'
import { makeParseQuestion } from '../../src/parser/interpret-question.ts'
import { trainedModel } from '../../src/parser/rank/model.ts'
import { understandQuestion } from '../../src/parser/understand/understand-question.ts'
import { readMetricQuestion } from '../../src/semantic-layer/read-metric-question.ts'
import { choiceFeatures } from '../../src/semantic-layer/weigh-readings.ts'

/** A question with a known answer. */
export interface ChoiceQuestion {
  readonly question: string
  readonly golds: readonly string[]
  /** Whether a right answer may have more columns than the gold, as what is shown to people may. */
  readonly isBusiness: boolean
}

/** One question read both ways. */
export interface Choice {
  readonly database: string
  readonly isBusiness: boolean
  readonly features: Readonly<Record<string, number>>
  readonly isMetricRight: boolean
  readonly isParserRight: boolean
  /** Both found the same rows. */
  readonly agree: boolean
}

/** A database that questions are read on. */
export interface ChoiceDatabase extends Pick<Database, 'catalog' | 'findValues'> {
  readonly run: RunStatement
}

const parse = makeParseQuestion(trainedModel)

/** Reads a question by the layer that its catalog suggests and by the parser; null if no gold runs or nothing is read. */
export const collectChoice = async (
  { question, golds, isBusiness }: ChoiceQuestion,
  name: string,
  database: ChoiceDatabase,
  clock: Clock,
): Promise<Choice | null> => {
  const understanding = understandQuestion(question, clock)
  const [metric] = readMetricQuestion({ understanding, database })
  const [parsed] = parse({ understanding, ...database })
  if (metric === undefined) return null
  const tableOf = async (sql: string): Promise<ResultTable | null> => {
    const ran = await database.run(sql)
    return 'table' in ran ? ran.table : null
  }
  const known = (await Promise.all(golds.map(tableOf))).filter(table => table !== null)
  if (known.length === 0) return null
  const isRight = (table: ResultTable | null): boolean =>
    table !== null && known.some(gold => (isBusiness ? coversRows : sameRows)(table, gold))
  const [drafted, shown] = [await tableOf(metric.sql), await tableOf(metric.meaning.sql)]
  const own = parsed ? await tableOf(parsed.sql) : null
  return {
    database: name,
    isBusiness,
    features: choiceFeatures(
      metric.features,
      parsed ? { confidence: parsed.confidence, unused: parsed.unused.length, sql: parsed.sql } : null,
    ),
    isMetricRight: isRight(isBusiness ? shown : drafted),
    isParserRight: isRight(own),
    agree: drafted !== null && own !== null && sameRows(drafted, own),
  }
}

/** Where the file of a database of the battery is. */
export const batteryFile = (folder: string, name: string, engine: string): string =>
  join(folder, `${name}.${engine}`)
