import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HomeFacts } from '../../../src/domain/home.ts'
import { checkBlocks, checkMessage, type SlackMessage } from '../../../src/slack/block-kit/blocks.ts'
import { slackLimits } from '../../../src/slack/block-kit/schema.ts'
import {
  adminView,
  commandHelpView,
  notAdminView,
  schemaView,
  verifiedView,
} from '../../../src/slack/views/command.ts'
import { homeView } from '../../../src/slack/views/home.ts'
import { askedOnBehalfView, notAllowedView } from '../../../src/slack/views/replies.ts'
import { digestOf, homeDigests, noDigests, repair } from '../listeners/digest-of.ts'
import { homeFacts } from '../listeners/home-facts.ts'

const url = 'https://acme.slack.com/'

const { admin } = homeFacts

if (admin === null) throw new Error('the facts of the test are an admin’s')

const refused = { status: 'not-allowed', reason: 'Not you <@U1>.', nextStep: 'Ask & see.' } as const

const messages: Record<string, SlackMessage> = {
  'not allowed': notAllowedView(refused, ['U1', 'U2']),
  'asked for': askedOnBehalfView('U1', 'how many <!channel> tents?'),
  'help of the command': commandHelpView(null),
  'an unknown command': commandHelpView('how many `tents` <@U1>?'),
  tables: schemaView({
    status: 'tables',
    database: 'shop',
    tables: [
      { name: 'orders', rows: 2, comment: 'What was *ordered* & paid' },
      { name: 'notes', rows: null, comment: null },
    ],
  }),
  'one table': schemaView({
    status: 'table',
    database: 'shop',
    name: 'orders',
    rows: 1,
    comment: 'What was ordered',
    columns: [
      { name: 'id', type: 'integer', comment: null, masked: false },
      { name: 'email', type: 'text', comment: 'of the buyer', masked: true },
    ],
  }),
  'no such table': schemaView({
    status: 'no-such-table',
    database: 'shop',
    table: 'ordres',
    tables: ['notes', 'orders'],
  }),
  verified: verifiedView({ status: 'verified', database: 'shop', questions: ['How many tents?'] }),
  'none verified': verifiedView({ status: 'verified', database: 'shop', questions: [] }),
  admin: adminView(admin),
  'no admin': notAdminView,
}

describe('replies to the command and refusals', () => {
  it.each(Object.entries(messages))('%s', (_name, message) => {
    expect(checkMessage(message)).toEqual([])
    expect(message).toMatchSnapshot()
  })
})

describe('App Home', () => {
  it('matches the snapshot for an admin', () => {
    const view = homeView(homeFacts, {
      workspaceUrl: url,
      note: 'The rule is accepted.',
      digests: homeDigests,
    })
    expect(checkBlocks(view.blocks)).toEqual([])
    expect(view).toMatchSnapshot()
  })

  it('matches the snapshot for a person who can ask nowhere', () => {
    const nobody: HomeFacts = {
      isPartial: false,
      notAllowed: refused,
      databases: [],
      examples: [],
      recent: [],
      admin: null,
    }
    const view = homeView(nobody, { workspaceUrl: null, digests: noDigests })
    expect(checkBlocks(view.blocks)).toEqual([])
    expect(view).toMatchSnapshot()
  })

  it('shows admin parts only to admins', () => {
    const view = homeView({ ...homeFacts, admin: null }, { workspaceUrl: url, digests: noDigests })
    expect(JSON.stringify(view)).not.toMatch(/admin|Accept|Rebuild|Selector/)
  })

  it('links only to a valid workspace address', () => {
    for (const workspaceUrl of [null, 'javascript:alert(1)/', 'https://a b/', 'https://a|b>/'])
      expect(JSON.stringify(homeView(homeFacts, { workspaceUrl, digests: noDigests }))).not.toContain(
        'archives/',
      )
  })

  it('stays within Slack’s limits for any amount of content', () => {
    // Of any characters and up to 5,000 long, but a text that repeats itself: making each character up takes seconds.
    const text = fc
      .tuple(fc.string({ unit: 'binary', maxLength: 50 }), fc.integer({ min: 0, max: 100 }))
      .map(([piece, times]) => piece.repeat(times))
    const many = <T>(of: fc.Arbitrary<T>) => fc.array(of, { maxLength: 60 })
    const [database] = homeFacts.databases
    const [recent] = homeFacts.recent
    const [rule] = admin.rules
    const [stale] = admin.verified.stale
    const [failed] = admin.failed
    if (!database || !recent || !rule || !stale || !failed) throw new Error('the facts of the test are empty')
    fc.assert(
      fc.property(
        many(text),
        fc.record({ name: text, long: text, comment: text, reasons: many(text) }),
        (names, { name, long, comment, reasons }) => {
          const facts: HomeFacts = {
            ...homeFacts,
            databases: Array.from({ length: 5 }, () => ({
              ...database,
              name: name.slice(0, 60),
              description: comment,
              channels: names.map(one => one.slice(0, 80)),
              known: {
                measuredAt: database.known?.measuredAt ?? new Date(0),
                tables: names.map(one => ({ name: one, rows: 3 })),
              },
            })),
            examples: names.filter(one => one !== ''),
            recent: names.slice(0, 10).map(one => ({ ...recent, text: one })),
            admin: {
              ...admin,
              failedTokens: names.map(one => ({ teamName: one, reason: long, expiresAt: null })),
              rules: names.map(one => ({
                ...rule,
                meaning: one,
                question: long,
                phrase: null,
                sql: comment,
              })),
              verified: {
                ...admin.verified,
                stale: names.map(one => ({
                  ...stale,
                  question: one,
                  staleness: { since: new Date(0), reasons },
                })),
              },
              proposals: names.map(one => ({
                ...{ database: name, kind: 'metric', name: one, label: one, synonyms: names },
                meaning: long,
              })),
              failed: names.slice(0, 5).map(one => ({ ...failed, text: one, reason: long })),
              databases: names.filter(one => one !== ''),
            },
          }
          const { blocks } = homeView(facts, {
            workspaceUrl: url,
            note: long,
            digests: {
              ...homeDigests,
              digests: Array.from({ length: 10 }, () => ({ ...digestOf({ title: long, repair }) })),
            },
          })
          expect(checkBlocks(blocks, slackLimits.blocksPerView)).toEqual([])
        },
      ),
      { numRuns: 60 },
    )
  })

  it('so do the replies of the command', () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 3_000 })
    fc.assert(
      fc.property(fc.array(text, { maxLength: 120 }), text, (names, word) => {
        const replies = [
          schemaView({
            status: 'tables',
            database: 'shop',
            tables: names.map(name => ({ name, rows: 1, comment: word })),
          }),
          schemaView({
            status: 'table',
            ...{ database: 'shop', name: word, rows: 1, comment: word },
            columns: names.map(name => ({ name, type: word, comment: word, masked: true })),
          }),
          schemaView({ status: 'no-such-table', database: 'shop', table: word, tables: names }),
          verifiedView({ status: 'verified', database: 'shop', questions: names }),
          commandHelpView(word),
          askedOnBehalfView('U1', word),
        ]
        for (const reply of replies) expect(checkMessage(reply)).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})
