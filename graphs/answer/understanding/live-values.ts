import type { Catalog } from '../../../src/domain/catalog.ts'
import type { FollowUp } from '../../../src/domain/conversation.ts'
import type { Database } from '../../../src/domain/database.ts'
import type { FindValues, Keyword, Understanding, ValueMatch } from '../../../src/domain/question-context.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import type { NodeRun } from '../deps.ts'
import { extractKeywords, mergeKeywords } from './keywords.ts'
import { isSchemaName } from './value-matches.ts'

/** Texts of one question that the database is asked for: those that say most come first. */
const MOST_TEXTS = 40

const SHORTEST_TEXT = 3

/**
 * The database as one question needs it: its `findValues` also finds the values that its words name and the index
 * leaves out. They are asked for only once, so every node may call this. Rejects when the question is stopped.
 */
export const withLiveValues = async (
  database: Database,
  asked: Pick<Understanding, 'text' | 'followUp'>,
  run: Pick<NodeRun, 'signal'>,
): Promise<Database> => {
  if (!database.lookUpValues) return database
  const said = [asked.text, ...(asked.followUp ? textsOf(asked.followUp) : [])]
  const keywords = mergeKeywords(said.flatMap(extractKeywords))
  const texts = textsToLookUp(keywords, database.catalog)
  const matches = await database.lookUpValues(texts, run.signal ? { signal: run.signal } : {})
  return matches.length === 0
    ? database
    : { ...database, findValues: withMatches(database.findValues, matches) }
}

/** A follow-up is read with the questions that it builds on. */
const textsOf = ({ said, chain }: FollowUp): readonly string[] => [said, ...chain.map(({ text }) => text)]

/** One word in small letters is an ordinary word, unless it is a code or somebody put it in quotes. */
const textsToLookUp = (keywords: readonly Keyword[], catalog: Catalog): readonly string[] =>
  keywords
    .filter(({ text, source }) => {
      if (source === 'quoted') return true
      if (source !== 'capitalised' && source !== 'span') return false
      if (text.length < SHORTEST_TEXT || /^[\d.,]+$/.test(text) || isSchemaName(text, catalog)) return false
      return source === 'capitalised' || /[\s\d@_#-]|\p{Lu}/u.test(text)
    })
    .slice(0, MOST_TEXTS)
    .map(({ text }) => text)

const withMatches = (findValues: FindValues, matches: readonly ValueMatch[]): FindValues => {
  const byText = Map.groupBy(matches, ({ keyword }) => foldText(keyword))
  return (keyword, options) => {
    const others = findValues(keyword, options)
    const live = (byText.get(foldText(keyword.trim())) ?? []).filter(
      ({ table, column }) =>
        options?.columns?.some(one => one.table === table && one.column === column) ?? true,
    )
    return live.length === 0
      ? others
      : [...live.map(match => ({ ...match, keyword })), ...others].slice(
          0,
          options?.limit ?? live.length + others.length,
        )
  }
}
