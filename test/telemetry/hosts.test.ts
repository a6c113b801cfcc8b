import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectFolder } from '../../src/lib/project.ts'

/** Every host in the code, and why it is there. docs/support.md promises that nothing else is called. */
const hosts: Record<string, string> = {
  'slack.com': 'called, if Slack tokens are set',
  'api.openai.com': 'called, if models are set without an address',
  'api.anthropic.com': 'recognized in the address of a model',
  'api.slack.com': 'shown as a link by init',
  'querent.example.com': 'an example',
}

/** What comments name is not called. */
const isComment = (line: string): boolean => /^\s*(\/\/|\/?\*)/.test(line)

it('the code names no host that is not on the list', () => {
  const named = globSync('{src,graphs}/**/*.ts', { cwd: projectFolder })
    .flatMap(path => readFileSync(join(projectFolder, path), 'utf8').split('\n'))
    .filter(line => !isComment(line))
    .flatMap(line => [...line.matchAll(/https?:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)/gi)])
    .map(([, host]) => host ?? '')
    .filter(host => host !== '127.0.0.1')
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(hosts).toSorted())
})

it('Querent reports no usage, and has no package that does', () => {
  const { packages } = JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8'))
  const reporting =
    /(^|\/)(@sentry|posthog|mixpanel|amplitude|@segment|analytics|update-notifier|insight|applicationinsights)\b/
  const names = Object.keys(packages).map(path => path.replace(/^.*node_modules\//, ''))
  const found = names.filter(name => reporting.test(name) && !packages[`node_modules/${name}`]?.dev)
  expect(found).toEqual([])
})
