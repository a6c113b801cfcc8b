import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { slackManifest } from '../../../src/cli/init/connect-slack.ts'
import {
  hasPassword,
  hidePassword,
  suggestName,
  suggestVariable,
  toAddress,
  withLogin,
} from '../../../src/cli/init/database-address.ts'
import { wrapWords } from '../../../src/cli/terminal.ts'
import { parseDatabaseReference } from '../../../src/databases/database-reference.ts'

it('gives the manifest as it is for Socket Mode, and every address for HTTP', async () => {
  const shipped = await readFile(new URL('../../../manifest.yml', import.meta.url), 'utf8')
  expect(await slackManifest({ way: 'socket' })).toBe(shipped)

  const http = parse(await slackManifest({ way: 'http', url: 'https://querent.example.com/' }))
  const url = 'https://querent.example.com/slack/events'
  expect(http.settings.socket_mode_enabled).toBe(false)
  expect(http.settings.event_subscriptions.request_url).toBe(url)
  expect(http.settings.interactivity).toMatchObject({ is_enabled: true, request_url: url })
  for (const command of http.features.slash_commands) expect(command).toMatchObject({ url })
  expect(http.oauth_config).toEqual(parse(shipped).oauth_config)
})

it('takes a path for what lies there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-init-'))
  try {
    writeFileSync(join(folder, 'data'), 'SQLite format 3\u0000 and more')
    const address = (typed: string) => toAddress(typed, { baseFolder: folder, home: '/home/ada' })
    expect(await address('data')).toBe(`sqlite:${folder}/data`)
    expect(await address('.')).toBe(`duckdb:${folder}`)
    expect(await address('orders.csv')).toBe(`duckdb:${folder}/orders.csv`)
    expect(await address('~/shop.db')).toBe('sqlite:/home/ada/shop.db')
    expect(await address('postgres://ada@host/shop')).toBe('postgres://ada@host/shop')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('shows no password, also one that looks like the rest of an address', () => {
  expect(hidePassword('postgres://ada:s:e/cr@et@host/shop')).toBe('postgres://ada:•••@host/shop')
  expect(hidePassword('postgres://ada@host:5432/shop')).toBe('postgres://ada@host:5432/shop')
  expect(hasPassword('postgres://ada:secret@host/shop')).toBe(true)
  expect(hasPassword('postgres://ada@host:5432/shop')).toBe(false)
  expect(withLogin('postgres://ada@host/shop?sslmode=require', { user: 'bo b', password: 'p@ss' })).toBe(
    'postgres://bo%20b:p%40ss@host/shop?sslmode=require',
  )
})

it('suggests names that querent.yml takes, and variables that are not ours', () => {
  const named = (address: string) => suggestName(parseDatabaseReference(address, { baseFolder: '/' }))
  expect(named('postgres://ada@host/Web%20Shop')).toBe('web-shop')
  expect(named('sqlite:/data/2026_Ärzte.sqlite')).toBe('arzte')
  expect(named('postgres://ada@host')).toBe('main')
  expect(suggestVariable('web-shop')).toBe('WEB_SHOP_DATABASE_URL')
  expect(suggestVariable('querent')).toBe('ASKED_QUERENT_DATABASE_URL')
})

it('cuts lines between words', () => {
  expect(wrapWords('one two three', 7)).toEqual(['one two', 'three'])
  expect(wrapWords('unbreakable word\nnext', 4)).toEqual(['unbreakable', 'word', 'next'])
})
