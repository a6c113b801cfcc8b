import Table from 'cli-table3'
import { makeDecideRule } from '../answering/propose-rule.ts'
import { QuerentError } from '../domain/errors.ts'
import { type ProposedRule, type RuleStatus, ruleStatuses } from '../domain/knowledge.ts'
import { type CommandContext, currentPerson, findByIdPrefix, shortId } from './command-context.ts'
import { knowledgeCopy as copy } from './copy/feedback.ts'
import { notOneOf } from './copy/phrases.ts'
import { writeJson } from './terminal.ts'

/** The arguments of the `knowledge` commands. */
interface KnowledgeOptions {
  readonly id?: string
  readonly status?: string
  readonly database?: string
  readonly json?: boolean
}

/** `knowledge proposed`: rules from replies when Querent asked back, of one database or of all. */
export const runKnowledgeProposed = async (
  options: KnowledgeOptions,
  context: CommandContext,
): Promise<number> => {
  const { resources, terminal, signal } = context
  const status = readStatus(options.status)
  // Rules are stored by the name of the database, which may differ from what was typed.
  const database =
    options.database === undefined ? null : (await resources.openDatabase(options.database, { signal })).name
  const rules = await (await ruleRepository(context)).list({
    status,
    ...(database === null ? {} : { database }),
  })
  context.clearProgress()
  if (options.json) writeJson(terminal.out, rules.map(ruleToJson))
  else if (rules.length === 0) terminal.out.write(`${copy.none(status)}\n`)
  else terminal.out.write(`${ruleTable(rules)}\n`)
  return 0
}

/** `knowledge accept`: uses a rule for answers. */
export const runKnowledgeAccept = (options: KnowledgeOptions, context: CommandContext): Promise<number> =>
  changeRule('accepted', options, context)

/** `knowledge reject`: stops using a rule, and does not propose it again. */
export const runKnowledgeReject = (options: KnowledgeOptions, context: CommandContext): Promise<number> =>
  changeRule('rejected', options, context)

const changeRule = async (
  status: 'accepted' | 'rejected',
  options: KnowledgeOptions,
  context: CommandContext,
): Promise<number> => {
  const { decide, findByPrefix } = await ruleRepository(context)
  const found = await findByIdPrefix(options.id ?? '', id => findByPrefix(id), copy.idErrors)
  const decideRule = makeDecideRule({ decide, now: () => context.now })
  const rule = (await decideRule({ id: found.id, status, by: currentPerson() })) ?? found
  context.clearProgress()
  if (options.json) writeJson(context.terminal.out, ruleToJson(rule))
  else context.terminal.out.write(`${copy.statusIs(shortId(rule.id), status, formatRule(rule))}\n`)
  return 0
}

const ruleRepository = async ({ resources }: CommandContext) =>
  (await resources.ownStore()).store.repositories.proposedRules

const readStatus = (text = 'proposed'): RuleStatus => {
  const status = ruleStatuses.find(status => status === text)
  if (status !== undefined) return status
  throw new QuerentError('bad-arguments', notOneOf('--status', ruleStatuses, text))
}

const ruleToJson = (rule: ProposedRule) => ({
  id: rule.id,
  database: rule.database,
  question: rule.question,
  phrase: rule.phrase,
  meaning: rule.meaning,
  sql: rule.sql,
  columns: rule.columns,
  status: rule.status,
  proposedBy: rule.proposedBy,
  proposedAt: rule.proposedAt.toISOString(),
  decidedBy: rule.decidedBy,
  decidedAt: rule.decidedAt?.toISOString() ?? null,
})

const formatRule = ({ phrase, meaning, question }: ProposedRule): string =>
  phrase === null ? copy.questionMeans(question, meaning) : copy.phraseMeans(phrase, meaning)

const ruleTable = (rules: readonly ProposedRule[]): string => {
  const table = new Table({
    style: { head: [], border: [], compact: true },
    head: [...copy.head],
    colWidths: [10, 20, 50, 40, 14],
    wordWrap: true,
  })
  for (const rule of rules)
    table.push([shortId(rule.id), rule.database, formatRule(rule), rule.question, rule.proposedBy ?? ''])
  return table.toString()
}
