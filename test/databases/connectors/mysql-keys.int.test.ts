import { describe, expect, it } from 'vitest'
import { profileCatalog } from '../../../src/databases/catalog/profile-catalog.ts'
import { makeMysqlConnector } from '../../../src/databases/connectors/mysql/connector.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { makeRunQuery } from '../../../src/databases/run-query.ts'
import { createMysqlDatabase } from '../../helpers/services/mysql-database.ts'
import { requireService } from '../../helpers/services/require-service.ts'

const serverUrl = requireService('MYSQL_URL', 'keys of MySQL')

const limits = { timeoutMs: 20_000, maxRows: 1000, maxBytes: 1_000_000 }

describe.skipIf(serverUrl === null)('keys that nobody declared in MySQL', () => {
  it('are found, also beside columns whose collations do not compare', async () => {
    const database = await createMysqlDatabase(serverUrl!)
    const code = (collation: string): string => `varchar(10) character set utf8mb4 collate ${collation}`
    await database.admin(`
      create table countries (country_code ${code('utf8mb4_general_ci')} primary key, name varchar(40));
      create table cities (city_id int primary key, country_code ${code('utf8mb4_unicode_ci')});
      create table regions (region_id int primary key, country_code ${code('utf8mb4_general_ci')}, city_id int);
      insert into countries values ('no', 'Norway'), ('se', 'Sweden'), ('dk', 'Denmark');
      insert into cities values (1, 'no'), (2, 'se'), (3, 'dk');
      insert into regions values (10, 'no', 1), (20, 'se', 2), (30, 'se', 3);
    `)
    const connector = await makeMysqlConnector({ url: database.url, place: 'test' })
    const { foreignKeys } = await profileCatalog({
      catalog: await connector.introspect(),
      run: makeRunQuery({ connector, limits }),
      guard: makeGuard(),
    })
    const named = foreignKeys.map(
      ({ from, to }) => `${from.table}.${from.columns} -> ${to.table}.${to.columns}`,
    )
    expect(named.sort()).toEqual([
      'regions.city_id -> cities.city_id',
      'regions.country_code -> countries.country_code',
    ])
    await connector.close()
    await database.drop()
  })
})
