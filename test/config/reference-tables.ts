import { environmentSchema, variableNames } from '../../src/config/environment-variables.ts'
import { listSettings } from '../../src/config/settings.ts'

/** The table of settings that docs/configuration.md must hold, written from the schema. */
export const settingsTable = (): string =>
  [
    '| setting | must be | default | what for |',
    '|---|---|---|---|',
    ...listSettings().map(({ path, setting }) => {
      const byDefault = setting.default === undefined ? '' : `\`${JSON.stringify(setting.default)}\``
      return row([`\`${path}\``, setting.expects ?? '', byDefault, setting.description ?? ''])
    }),
  ].join('\n')

/** The table of environment variables that docs/configuration.md must hold. */
export const variablesTable = (): string =>
  [
    '| variable | must be | what for |',
    '|---|---|---|',
    ...variableNames.map(name => {
      const meta = environmentSchema.shape[name].meta() as { expects: string; description: string }
      return row([`\`${name}\``, meta.expects, meta.description])
    }),
  ].join('\n')

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |')
