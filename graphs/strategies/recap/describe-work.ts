import type { Candidate } from '../../../src/domain/candidate.ts'
import type { ResultTable } from '../../../src/domain/result.ts'
import type { RecapSettings } from '../../../src/domain/strategies/recap.ts'
import type { AgentReplyOf } from '../../../src/domain/strategies/strategy.ts'
import { describeResult } from '../../answer/comparison/judge-request.ts'
import { describeEvidence, describeExamples } from '../../answer/drafting/prompt-inputs.ts'
import { describeValues } from '../../answer/drafting/value-hints.ts'
import type { AgentTools } from '../shared/agent-tools.ts'
import { errorTaxonomy } from './error-taxonomy.ts'

/** A plan as the planner wrote it. */
export type RecapPlan = Pick<AgentReplyOf<'recap-plan'>, 'steps' | 'columns'>

/** Why an agent's reply was not carried out. */
export type Fault = 'repeated' | 'malformed'

/**
 * What the knowledge retriever adds to a prompt (section 3.3.2): the team's terms and rules, and values of the database.
 * It asks no model.
 */
export const retrieveKnowledge = (
  { context, database }: AgentTools,
  described: Readonly<Record<'evidence' | 'values', string>>,
  { knowledge }: Pick<RecapSettings, 'knowledge'>,
): Readonly<Record<'evidence' | 'values', string>> => {
  if (knowledge) return { evidence: described.evidence, values: described.values }
  const { linked, understanding } = context
  return {
    // What was given with the question is part of it.
    evidence: describeEvidence(undefined, { understanding, linked }),
    values: describeValues([], { question: understanding.text, catalog: database.catalog }),
  }
}

/** Verified questions like the one asked, which the retriever adds where a plan or a statement is written. */
export const retrieveExamples = async (
  tools: AgentTools,
  { knowledge, examples }: Pick<RecapSettings, 'knowledge' | 'examples'>,
): Promise<string> => {
  const found = knowledge && examples > 0 ? await tools.findExamples() : []
  return describeExamples(found.slice(0, examples))
}

/** A plan for a prompt, one step a line. */
export const describePlan = (plan: RecapPlan | null): string =>
  plan === null || plan.steps.length === 0
    ? 'There is none.'
    : plan.steps.map((step, at) => `${at + 1}. ${short(step, LONGEST_TEXT)}`).join('\n')

/** The columns that a plan expects of the result. */
export const describeExpected = (plan: RecapPlan | null): string =>
  plan === null || plan.columns.length === 0
    ? 'Nothing was said of them.'
    : plan.columns.map(({ name, type }) => `${short(name, LONGEST_NAME)} (${type})`).join(', ')

/** What an agent is told of its last reply; empty if nothing was wrong with it. */
export const faultTexts: Readonly<Record<Fault, string>> = {
  repeated:
    'Your last reply had a statement that was tried before, so it was not run again. Write another one, or stop.',
  malformed: 'Your last reply had no statement that could be run. Give the whole statement in sql.',
}

/** What a candidate was rejected for by the validator. */
export interface Rejection {
  readonly id: string
  readonly problem: string
}

/** Steps beyond these say little: the latest are shown. */
const MOST_ENTRIES = 10

/** The work so far for a prompt: every statement that was tried, oldest first, with what came of it. */
export const describeWork = async (
  tools: AgentTools,
  work: {
    readonly candidateIds: readonly string[]
    readonly lookIds: readonly string[]
    readonly rejections: readonly Rejection[]
  },
  shown: { readonly seesRows: boolean; readonly sampleRows: number },
): Promise<string> => {
  const entries: string[] = []
  for (const id of work.candidateIds) {
    const candidate = await tools.candidate(id)
    const kind = work.lookIds.includes(id) ? 'A look' : 'An answer'
    const before = candidate.repairs.map(
      ({ sql, errorClass, message }) =>
        `${kind}: ${short(sql, LONGEST_SQL)}\n   ${nameOf(errorClass)}: ${short(message, LONGEST_TEXT)}`,
    )
    const rejection = work.rejections.findLast(one => one.id === id)
    const after = rejection === undefined ? '' : `\n   Rejected: ${short(rejection.problem, LONGEST_TEXT)}`
    const outcome = await outcomeOf(tools, candidate, shown)
    entries.push(...before, `${kind}: ${short(candidate.sql, LONGEST_SQL)}\n   ${outcome}${after}`)
  }
  if (entries.length === 0) return 'Nothing yet.'
  const first = Math.max(0, entries.length - MOST_ENTRIES)
  return entries
    .slice(first)
    .map((entry, at) => `${first + at + 1}. ${entry}`)
    .join('\n')
}

const outcomeOf = async (
  tools: AgentTools,
  { id, run }: Candidate,
  shown: { readonly seesRows: boolean; readonly sampleRows: number },
): Promise<string> => {
  if (run === null) return 'It was not run.'
  if (run.status === 'failed') return `${nameOf(run.errorClass)}: ${short(run.message, LONGEST_TEXT)}`
  return describeFound(await tools.loadResult(id), shown).replaceAll('\n', '\n   ')
}

const nameOf = (errorClass: keyof typeof errorTaxonomy): string => errorTaxonomy[errorClass]?.name ?? 'NotRun'

/** Whether a statement is one of these candidates, or was before it was replaced; spaces make no difference. */
export const wasTried = async (sql: string, ids: readonly string[], tools: AgentTools): Promise<boolean> => {
  const candidates = await Promise.all(ids.map(id => tools.candidate(id)))
  const tried = candidates.flatMap(candidate => [candidate.sql, ...candidate.repairs.map(one => one.sql)])
  return tried.some(one => onOneLine(one) === onOneLine(sql))
}

const LONGEST_SQL = 1_000

const LONGEST_TEXT = 400

const LONGEST_NAME = 60

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const short = (text: string, longest: number): string => {
  const line = onOneLine(text)
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

/** What agents may see of a result, and how much. */
interface Shown {
  readonly seesRows: boolean
  readonly sampleRows: number
}

/** What a statement found, for a prompt: rows, columns, and the first rows where they may be shown. */
const describeFound = (result: ResultTable | null, { seesRows, sampleRows }: Shown): string =>
  describeResult(result, { seesRows: seesRows && sampleRows > 0, mostRows: sampleRows })

const MOST_COLUMNS = 12

/** A result as the validator sees it (section 3.3.7): also how many cells of each column are NULL. */
export const summarizeResult = (result: ResultTable | null, shown: Shown): string => {
  const found = describeFound(result, shown)
  if (result === null || result.rows.length === 0) return found
  const counts = result.columns
    .slice(0, MOST_COLUMNS)
    .map(({ name }, at) => ({ name, nulls: result.rows.filter(row => row[at] === null).length }))
    .filter(({ nulls }) => nulls > 0)
    .map(({ name, nulls }) => `${name} ${nulls}`)
  return `${found}\nNULLs: ${counts.length === 0 ? 'none' : counts.join(', ')}`
}
