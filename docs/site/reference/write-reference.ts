import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectFolder } from '../../../src/lib/project.ts'
import { commandLinePage } from './command-line.ts'
import { environmentPage } from './environment.ts'
import { metricsPage } from './metrics.ts'
import { settingsPage } from './settings.ts'
import { slackCommandsPage } from './slack-commands.ts'

/** The pages of the reference by their path from the root, as the code is now. */
export const makeReference = async (): Promise<ReadonlyMap<string, string>> =>
  new Map([
    ['docs/reference/settings.md', settingsPage()],
    ['docs/reference/environment.md', environmentPage()],
    ['docs/reference/command-line.md', commandLinePage()],
    ['docs/reference/slack-commands.md', slackCommandsPage()],
    ['docs/reference/metrics.md', await metricsPage()],
  ])

/** Writes the pages of the reference. */
export const writeReference = async (): Promise<void> => {
  for (const [path, text] of await makeReference()) {
    mkdirSync(join(projectFolder, dirname(path)), { recursive: true })
    writeFileSync(join(projectFolder, path), text)
  }
}

/** `npm run docs:reference` */
if (import.meta.main) await writeReference()
