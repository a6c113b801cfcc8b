import type { HomeFacts } from '../../../src/domain/home.ts'

const at = new Date('2026-11-20T09:30:00Z')

const place = { team: 'T1', channel: 'C1', thread: '1763631000.000100', message: '1763631000.000100' }

/** What App Home shows to an admin who has everything. */
export const homeFacts: HomeFacts = {
  notAllowed: null,
  isPartial: false,
  databases: [
    {
      name: 'shop',
      description: 'Orders & customers of the web shop',
      channels: ['sales', 'general'],
      direct: true,
      rights: ['A part of shop, by the group sales.', "Of orders, only rows where region = 'EMEA'."],
      known: {
        tables: [
          { name: 'orders', rows: 120_000 },
          { name: 'flags', rows: 1 },
          { name: 'latest_orders', rows: null },
        ],
        measuredAt: at,
      },
    },
    { name: 'farm', description: null, channels: ['barn'], direct: false, rights: [], known: null },
  ],
  examples: ['How many orders are there?', 'How many customers are there by country?'],
  recent: [
    { id: 'q1', text: 'how many <tents> | poles & pegs?', status: 'answered', askedAt: at, location: place },
    { id: 'q2', text: '', status: 'waiting', askedAt: at, location: place },
  ],
  admin: {
    questions: { answered: 1_204, refused: 12, failed: 1 },
    votes: { up: 88, down: 7 },
    selector: {
      version: '2026-11-19',
      report: {
        against: 'shipped',
        verdict: 'promoted',
        trainedOn: { questions: 200, voters: 12, weight: 180 },
        heldOut: { questions: 50, champion: 0.52, challenger: 0.41, gain: 0.11, standardError: 0.03 },
        benchmark: { questions: 300, champion: 210, challenger: 214 },
      },
    },
    verified: {
      accepted: 9,
      proposed: [
        {
          id: '77777777-2222-3333-4444-555555555555',
          ...{
            database: 'shop',
            question: 'How many poles were sold?',
            maskedQuestion: 'How many _ were sold?',
          },
          ...{
            sql: 'select count(*) from poles',
            skeleton: null,
            slots: [],
            touches: null,
            fingerprint: 'f',
          },
          ...{ status: 'proposed', savedBy: 'U2', savedAt: at, decidedBy: null, decidedAt: null },
          ...{ lastRun: null, staleness: null, dueAt: null },
        },
      ],
      stale: [
        {
          id: '11111111-2222-3333-4444-555555555555',
          database: 'shop',
          question: 'How many tents were sold?',
          maskedQuestion: 'How many _ were sold?',
          sql: 'select 1',
          skeleton: null,
          slots: [],
          touches: null,
          fingerprint: 'f',
          status: 'stale',
          savedBy: 'U1',
          savedAt: at,
          decidedBy: 'U1',
          decidedAt: at,
          lastRun: null,
          staleness: { since: at, reasons: ['the column `sold_on` of orders is gone'] },
          dueAt: null,
        },
      ],
    },
    rules: [
      {
        id: '66666666-2222-3333-4444-555555555555',
        database: 'shop',
        questionId: 'q1',
        question: 'orders by country?',
        phrase: 'country',
        meaning: 'billing country of the order',
        sql: null,
        columns: ['orders.billing_country'],
        status: 'proposed',
        proposedBy: 'U02AB3CD4',
        proposedAt: at,
        decidedBy: null,
        decidedAt: null,
      },
    ],
    proposals: [
      {
        ...{ database: 'shop', kind: 'metric', name: 'revenue', label: 'Revenue' },
        synonyms: ['sales', 'turnover'],
        meaning: 'sum of total of orders',
      },
      {
        ...{ database: 'shop', kind: 'segment', name: 'open_order', label: 'Open <order>' },
        synonyms: [],
        meaning: 'orders where shipped is empty',
      },
    ],
    failed: [
      {
        id: 'q3',
        text: 'margin by month?',
        status: 'failed',
        askedAt: at,
        location: place,
        reason: 'The database is away.',
        database: 'shop',
      },
    ],
    dead: {
      total: 5,
      jobs: [
        {
          id: '99999999-2222-3333-4444-555555555555',
          queue: 'digest',
          failedAt: at,
          attempts: 21,
          code: null,
          reason: 'Slack <says> channel_not_found',
        },
      ],
    },
    databases: ['shop', 'farm'],
    failedTokens: [
      {
        ...{ teamName: 'Acme & <Sons>', reason: 'An API error occurred: invalid_refresh_token' },
        expiresAt: new Date('2026-11-22T12:00:00Z'),
      },
    ],
  },
}
