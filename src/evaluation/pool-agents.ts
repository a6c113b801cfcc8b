import { z } from 'zod'
import { ModelError } from '../domain/errors.ts'
import { noModelUsage } from '../domain/operations/usage.ts'
import { type AgentReplyOf, type AskAgent, agentReplies } from '../domain/strategies/strategy.ts'

/**
 * Agents that know nothing but what real systems once wrote: an agent that writes a statement gives the next draft of the
 * question's pool, every other reply is empty, agrees or keeps all. Free and the same every time: it shows what a
 * system's flow makes of given drafts, not how well its agents think. Each reply counts as a model call; when the pool
 * has no more drafts the call fails as with a spent budget.
 */
export const makePoolAgents = ({
  draftsOf,
}: {
  readonly draftsOf: (questionId: string) => readonly { readonly sql: string }[]
}): AskAgent => {
  const given = new Map<string, number>()
  return async <Name extends keyof typeof agentReplies>({
    reply,
    questionId = '',
  }: {
    readonly reply: Name
    readonly questionId?: string
  }) => {
    const usage = { ...noModelUsage, modelCalls: 1 }
    const schema = z.toJSONSchema(agentReplies[reply]) as JsonSchema
    const nextDraft = (): string => {
      const at = given.get(questionId) ?? 0
      const draft = draftsOf(questionId)[at]
      if (draft === undefined)
        throw new ModelError('budget-spent', 'The pool has no further draft of this question.', {
          usage: noModelUsage,
        })
      given.set(questionId, at + 1)
      return draft.sql
    }
    const writesSql = schema.properties?.sql !== undefined
    const value = {
      ...(neutralOf(schema) as object),
      ...(writesSql ? { sql: nextDraft() } : emptySteps(schema)),
    }
    return { value: agentReplies[reply].parse(value) as AgentReplyOf<Name>, usage, model: 'pool' }
  }
}

/** The parts of a JSON schema that the replies of agents use. */
interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly minItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly anyOf?: readonly JsonSchema[]
}

/** A plan without a step would say that nothing can be done: it has one, which says nothing. */
const emptySteps = ({ properties = {} }: JsonSchema): object => {
  const [first] = Object.entries(properties)
  return first !== undefined && first[1].type === 'array' && first[1].items?.type === 'string'
    ? { [first[0]]: [''] }
    : {}
}

/** A reply that says as little as its schema allows: yes, nothing, the first choice, the highest number. */
const neutralOf = (schema: JsonSchema): unknown => {
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf)
    return schema.anyOf.some(({ type }) => type === 'null') ? null : neutralOf(schema.anyOf[0] ?? {})
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, part]) => [name, neutralOf(part)]),
      )
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => neutralOf(schema.items ?? {}))
    case 'boolean':
      return true
    case 'number':
    case 'integer':
      return schema.maximum ?? schema.minimum ?? 0
    default:
      return ''
  }
}
