import Table from 'cli-table3'
import { makeDecideRule } from '../answering/propose-rule.ts'
import { QuerentError } from '../domain/errors.ts'
import { type ProposedRule, type RuleStatus, ruleStatuses } from '../domain/knowledge.ts'
import { type CommandContext, currentPerson } from './command-context.ts'
import { writeJson } from './terminal.ts'

/** What `knowledge` was told on the command line. */
interface KnowledgeOptions {
  readonly id?: string
  readonly status?: string
  readonly database?: string
  readonly json?: boolean
}

/** `knowledge proposed`: what replies to questions back said, of a database or of all. */
export const runKnowledgeProposed = async (
  options: KnowledgeOptions,
  context: CommandContext,
): Promise<number> => {
  const { resources, terminal, signal } = context
  const status = readStatus(options.status)
  // Rules are kept under the name that the database goes by, which is not always what was typed.
  const database =
    options.database === undefined ? null : (await resources.openDatabase(options.database, { signal })).name
  const rules = await (await ruleRepository(context)).list({
    status,
    ...(database === null ? {} : { database }),
  })
  context.clearProgress()
  if (options.json) writeJson(terminal.out, rules.map(ruleToJson))
  else if (rules.length === 0)
    terminal.out.write(`There are none that are ${status}. Replies to questions back are proposed here.\n`)
  else terminal.out.write(`${ruleTable(rules)}\n`)
  return 0
}

/** `knowledge accept`: it is used for answers from now on. */
export const runKnowledgeAccept = (options: KnowledgeOptions, context: CommandContext): Promise<number> =>
  changeRule('accepted', options, context)

/** `knowledge reject`: it is used no more, and not proposed again. */
export const runKnowledgeReject = (options: KnowledgeOptions, context: CommandContext): Promise<number> =>
  changeRule('rejected', options, context)

const changeRule = async (
  status: 'accepted' | 'rejected',
  options: KnowledgeOptions,
  context: CommandContext,
): Promise<number> => {
  const { decide } = await ruleRepository(context)
  const found = await findRule(options.id ?? '', context)
  const decideRule = makeDecideRule({ decide, now: () => context.now })
  const rule = (await decideRule({ id: found.id, status, by: currentPerson() })) ?? found
  context.clearProgress()
  if (options.json) writeJson(context.terminal.out, ruleToJson(rule))
  else context.terminal.out.write(`${rule.id.slice(0, 8)} is ${status}: ${formatRule(rule)}\n`)
  return 0
}

const ruleRepository = async ({ resources }: CommandContext) =>
  (await resources.ownStore()).store.repositories.proposedRules

const readStatus = (text = 'proposed'): RuleStatus => {
  const status = ruleStatuses.find(status => status === text)
  if (status !== undefined) return status
  throw new QuerentError('bad-arguments', `--status is one of ${ruleStatuses.join(', ')}, not “${text}”`)
}

/** Ids are long; the beginning of one will do while only one begins so. */
const MIN_ID_LENGTH = 4

const findRule = async (id: string, context: CommandContext): Promise<ProposedRule> => {
  if (!/^[0-9a-f-]+$/i.test(id) || id.length < MIN_ID_LENGTH)
    throw new QuerentError(
      'bad-arguments',
      `“${id}” is no id: give at least ${MIN_ID_LENGTH} of its characters, as \`knowledge proposed\` shows it`,
    )
  const [rule, other] = await (await ruleRepository(context)).findByPrefix(id)
  if (rule === undefined)
    throw new QuerentError('bad-arguments', `there is no rule ${id}; \`knowledge proposed\` shows them`)
  if (other !== undefined)
    throw new QuerentError('bad-arguments', `several ids begin with ${id}; give more of it`)
  return rule
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
  phrase === null ? `asked “${question}”, people mean ${meaning}` : `“${phrase}” means ${meaning}`

const ruleTable = (rules: readonly ProposedRule[]): string => {
  const table = new Table({
    style: { head: [], border: [], compact: true },
    head: ['id', 'database', 'what it says', 'asked', 'by'],
    colWidths: [10, 20, 50, 40, 14],
    wordWrap: true,
  })
  for (const rule of rules)
    table.push([rule.id.slice(0, 8), rule.database, formatRule(rule), rule.question, rule.proposedBy ?? ''])
  return table.toString()
}
