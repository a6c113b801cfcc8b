import { describe, expect, it } from 'vitest'
import { ModelError } from '../../src/domain/errors.ts'
import { type AgentReplyName, agentReplies } from '../../src/domain/strategies/strategy.ts'
import { makePoolAgents } from '../../src/evaluation/pool-agents.ts'

const request = (questionId: string) => ({ role: 'drafter' as const, prompt: '', variables: {}, questionId })

describe('agents that replay a pool', () => {
  it.each(Object.keys(agentReplies) as AgentReplyName[])('give a reply that fits %s', async reply => {
    const askAgent = makePoolAgents({ draftsOf: () => [{ sql: 'select 1' }] })
    const { value, usage } = await askAgent({ ...request('a'), reply })
    expect(agentReplies[reply].safeParse(value).success).toBe(true)
    expect(usage.modelCalls).toBe(1)
  })

  it('write the drafts of their question in order, and none after the last', async () => {
    const askAgent = makePoolAgents({ draftsOf: id => [{ sql: `select '${id}'` }, { sql: 'select 2' }] })
    const next = async (id: string) => {
      const { value } = await askAgent({ ...request(id), reply: 'mac-sql-refinement' })
      return value.sql
    }
    expect([await next('a'), await next('b'), await next('a')]).toEqual([
      "select 'a'",
      "select 'b'",
      'select 2',
    ])
    await expect(next('a')).rejects.toThrow(ModelError)
  })
})
