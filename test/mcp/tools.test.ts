import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { describe, expect, it } from 'vitest'
import type { Clarification } from '../../src/domain/clarification.ts'
import { QuerentError } from '../../src/domain/errors.ts'
import type { Caller, CallerAnswer } from '../../src/domain/operations/caller.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import type { Cell, ResultTable } from '../../src/domain/result.ts'
import { makeMcpServer } from '../../src/mcp/server.ts'
import type { McpUseCases } from '../../src/mcp/use-cases.ts'
import { invisibleCharacters, invisibleIn } from '../helpers/invisible-characters.ts'
import { connectClient, type Elicited } from './connect.ts'

const caller: Caller = { person: 'ada', team: null, databases: null }

/** Use cases that nobody expects to be called, but for those that are given. */
const only = (given: Partial<McpUseCases>): McpUseCases => {
  const unexpected = async (): Promise<never> => {
    throw new Error('nobody expects this call')
  }
  return {
    ...{ ask: unexpected, reply: unexpected, searchSchema: unexpected, listMetrics: unexpected },
    ...{ queryMetric: unexpected, runSql: unexpected, listVerified: unexpected },
    ...given,
  }
}

const open = async (
  given: Partial<McpUseCases>,
  options: { readonly elicited?: Elicited; readonly caller?: Caller | null } = {},
) => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const logged: string[] = []
  const log = { ...silentLog, error: (_: unknown, message: string) => void logged.push(message) }
  const as = options.caller === undefined ? caller : options.caller
  await makeMcpServer({ useCases: only(given), caller: as, log }).connect(ours)
  return { logged, ...(await connectClient(theirs, options.elicited)) }
}

const clarification: Clarification = {
  question: 'By which country?',
  options: ['billing country', 'billing country', 'shipping country'].map((label, i) => ({
    ...{ label, hint: i < 2 ? '' : '2 rows' },
    candidateIds: [],
  })),
  defaultOption: 2,
}

const questionBack: CallerAnswer = {
  ...{ status: 'done', questionId: 'q1', database: 'shop', table: null },
  outcome: { status: 'needs-clarification', clarification },
}

const answered = (table: ResultTable | null): CallerAnswer => ({
  ...{ status: 'done', questionId: 'q1', database: 'shop', table },
  outcome: {
    ...{ status: 'answered', candidateId: 'c', resultId: 'r', sql: 'SELECT 1', confidence: 0.6 },
    ...{ headline: 'One order', assumptions: ['by day'] },
    alternatives: [{ label: 'by week', hint: '3 rows', candidateId: 'd' }],
  },
})

const tableOf = (rows: readonly (readonly Cell[])[], names = ['a', 'b']): ResultTable => ({
  ...{ columns: names.map(name => ({ name, kind: 'text' as const })), rows },
  ...{ truncated: null, milliseconds: 1 },
})

describe('a result', () => {
  it('reads like an answer in Slack', async () => {
    await using made = await open({ ask: async () => answered(tableOf([['x', 1]])) })
    const { text } = await made.call('ask', { question: 'orders' })
    expect(text.split('\n')).toEqual([
      '**One order**',
      '',
      '| A | B |',
      '| --- | ---: |',
      '| x | 1 |',
      '',
      'Likely (60%)',
      'Assumed: by day',
      'It could also mean: by week (3 rows)',
      '```sql',
      'SELECT 1',
      '```',
      'Question: q1',
    ])
  })

  it('cannot break out of its table, and has no control characters', async () => {
    const evil = 'a | b\n| forged |\u001b[2J'
    await using made = await open({ ask: async () => answered(tableOf([[evil, null]])) })
    const { text } = await made.call('ask', { question: 'orders' })
    expect(text).toContain('| a \\| b \\| forged \\| \\[2J | – |')
  })

  it('has no links, images or HTML that somebody wrote into a cell, and its SQL stays in its block', async () => {
    const cells = [
      '[a](https://x.example)',
      '![b](https://x.example/y.png)',
      '<img src="https://x.example">',
      '\\[c](d)',
    ]
    const shown = answered(tableOf([cells], ['a', 'b', 'c', '[e](https://x.example)']))
    const sql = "SELECT '\n```\n![z](https://x.example)'"
    const withSql = (answer: CallerAnswer): CallerAnswer =>
      answer.status === 'done' && answer.outcome.status === 'answered'
        ? { ...answer, outcome: { ...answer.outcome, sql } }
        : answer
    await using made = await open({ ask: async () => withSql(shown) })
    const { text } = await made.call('ask', { question: 'orders' })
    expect(text).toContain('\\[a\\](https://x.example)')
    expect(text).toContain('!\\[b\\](https')
    expect(text).toContain('\\<img src=')
    expect(text).toContain('\\\\\\[c\\](d)')
    expect(text).toContain(`\`\`\`\`sql\n${sql}\n\`\`\`\``)
    expect(text.replace(sql, '')).not.toMatch(/(?<!\\)\[[^\]]*\]\(/)
  })

  it('has no invisible character, in its text or its data', async () => {
    const cell = `o${invisibleCharacters.join('')}k`
    await using made = await open({ ask: async () => answered(tableOf([[cell, cell]], [cell, 'b'])) })
    const { text, data } = await made.call('ask', { question: 'orders' })
    expect(text).toContain('| ok | B |')
    expect(data).toMatchObject({ rows: [['ok', 'ok']] })
    expect(invisibleIn(text + JSON.stringify(data))).toEqual([])
  })

  it('has every cell as JSON, and says if rows are missing', async () => {
    const row: Cell[] = [12n, 2n ** 60n, new Uint8Array([1, 255]), Number.POSITIVE_INFINITY, true, null]
    const rows = Array.from({ length: 201 }, () => row)
    await using made = await open({ ask: async () => answered(tableOf(rows, [...'abcdef'])) })
    const { data, text } = await made.call('ask', { question: 'orders' })
    expect(data.rows[0]).toEqual([12, String(2n ** 60n), '0x01ff', 'Infinity', true, null])
    expect([data.rows.length, data.rowCount, data.truncated]).toEqual([200, 201, true])
    expect(text).toContain('First 20 of 201 rows')
  })

  it('has figures in the unit of their column', async () => {
    const unit = { kind: 'currency', code: 'EUR', scale: 0.01 } as const
    const role = { kind: 'figure', of: 'value', goodDirection: null, isAdditive: true } as const
    const table: ResultTable = {
      ...tableOf([[23000], ['27294465.097'], [null]]),
      columns: [{ name: 'revenue', kind: 'number', meaning: { label: 'Revenue', role, unit } }],
    }
    await using made = await open({ ask: async () => answered(table) })
    const { data, text } = await made.call('ask', { question: 'revenue' })
    expect(data.columns).toEqual([{ name: 'revenue', label: 'Revenue', unit: 'EUR' }])
    expect(data.rows).toEqual([[230], [272944.65097], [null]])
    expect(text).toContain('| €230.00 |')
  })

  it('is an error that says what to do if the caller may not ask', async () => {
    const refusal = { status: 'not-allowed', reason: 'No.', nextStep: 'Ask one of these: shop.' } as const
    await using made = await open({ ask: async () => refusal })
    expect(await made.call('ask', { question: 'x' })).toMatchObject({
      isError: true,
      text: 'No.\nAsk one of these: shop.',
    })
  })

  it.each([
    ['unknown', 'You have no question'],
    ['stopped', 'was stopped'],
  ] as const)('of a question that is %s says so', async (status, message) => {
    await using made = await open({ reply: async () => ({ status }) })
    const { isError, text } = await made.call('reply', { questionId: 'q1', option: 1 })
    expect([isError, text]).toEqual([true, expect.stringContaining(message)])
  })
})

describe('a question back', () => {
  it('offers options that differ, and takes the number of the chosen one', async () => {
    const seen: (readonly string[])[] = []
    const replies: unknown[] = []
    await using made = await open(
      {
        ask: async () => questionBack,
        reply: async (_, { reply }) => {
          replies.push(reply)
          return answered(null)
        },
      },
      {
        elicited: ({ labels }) => {
          seen.push(labels)
          return { action: 'accept', content: { choice: labels[1] ?? '' } }
        },
      },
    )
    expect((await made.call('ask', { question: 'orders' })).data.status).toBe('answered')
    expect(seen).toEqual([['Billing country', 'Billing country (2)', 'Shipping country (2 rows)']])
    expect(replies).toEqual([{ kind: 'option', number: 2 }])
  })

  it.each([
    ['declines', { action: 'decline' }],
    ['cancels', { action: 'cancel' }],
    ['says nothing', { action: 'accept', content: {} }],
    ['says what is no option', { action: 'accept', content: { choice: 'none of these' } }],
  ] as const)('stays open if the person %s', async (_, reply) => {
    await using made = await open({ ask: async () => questionBack }, { elicited: () => reply as never })
    const { data, text } = await made.call('ask', { question: 'orders' })
    expect(data).toMatchObject({ status: 'needs-clarification', questionId: 'q1', defaultOption: 3 })
    expect(text).toContain('3. Shipping country (2 rows)')
  })

  it('ends after some replies', async () => {
    let asked = 0
    await using made = await open(
      { ask: async () => questionBack, reply: async () => questionBack },
      {
        elicited: ({ labels }) => {
          asked += 1
          return { action: 'accept', content: { choice: labels[0] ?? '' } }
        },
      },
    )
    expect((await made.call('ask', { question: 'orders' })).data.status).toBe('needs-clarification')
    expect(asked).toBe(3)
  })

  it('is waited for by a reply without option and words', async () => {
    const replies: unknown[] = []
    const working = { status: 'working', questionId: 'q1', database: 'shop' } as const
    await using made = await open({
      reply: async (_, { reply }) => {
        replies.push(reply)
        return working
      },
    })
    const { data, text } = await made.call('reply', { questionId: 'q1', text: ' ' })
    expect([replies, data]).toEqual([[null], working])
    expect(text).toContain('Call reply with questionId q1 and nothing else')
  })
})

describe('a call', () => {
  it('of nobody is answered with nothing', async () => {
    await using made = await open({}, { caller: null })
    expect(await made.call('run_sql', { sql: 'SELECT 1' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('Slack did not say who is asking'),
    })
  })

  it('that fails as expected says why; one that fails otherwise is logged and says nothing of it', async () => {
    await using made = await open({
      runSql: async () => {
        throw new QuerentError('database-unreachable', 'The database is away. Start it.')
      },
      ask: async () => {
        throw new Error('secret detail')
      },
    })
    expect((await made.call('run_sql', { sql: 'SELECT 1' })).text).toBe('The database is away. Start it.')
    const failed = await made.call('ask', { question: 'x' })
    expect([failed.isError, failed.text]).toEqual([true, expect.stringContaining('Something went wrong')])
    expect(made.logged).toEqual(['an MCP tool failed unexpectedly'])
  })

  it('with arguments that do not fit is not made', async () => {
    await using made = await open({})
    for (const args of [{}, { sql: '' }, { sql: 'SELECT 1', more: 1 }, { sql: 'x'.repeat(50_001) }])
      expect((await made.call('run_sql', args)).isError).toBe(true)
  })
})
