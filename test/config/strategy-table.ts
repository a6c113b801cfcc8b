import { type ListedSetting, listStrategySettings } from '../../src/config/settings.ts'

/** The table of a strategy's settings in docs/strategies.md, written from the schema. */
export const strategyTable = (name: string): string =>
  [
    '| setting | must be | default | what for |',
    '|---|---|---|---|',
    ...listStrategySettings(name).map(({ path, setting }) =>
      row([
        `\`${path.split('.').slice(2).join('.')}\``,
        setting.expects ?? '',
        defaultOf(setting),
        setting.description ?? '',
      ]),
    ),
  ].join('\n')

const defaultOf = (setting: ListedSetting['setting']): string =>
  setting.default === undefined ? '' : `\`${JSON.stringify(setting.default)}\``

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |')
