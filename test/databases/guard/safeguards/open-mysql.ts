import { randomBytes } from 'node:crypto'
import { makeMysqlConnector } from '../../../../src/databases/connectors/mysql/connector.ts'
import { createMysqlDatabase } from '../../../helpers/services/mysql-database.ts'
import type { SafeguardSubject } from './safeguard-subject.ts'

/** As `reader`, who may select in this database and no more, or as the user of MYSQL_URL, who may do anything. */
export const openMysql = async (serverUrl: string, as: 'reader' | 'superuser'): Promise<SafeguardSubject> => {
  const database = await createMysqlDatabase(serverUrl)
  await database.admin(`
    create table orders (a integer, password text, fulltext (password));
    insert into orders values (1, 'x'), (2, 'y');
    create table secrets (a integer); insert into secrets values (1);
    create procedure p() delete from orders;
    ${database.flavour === 'mariadb' ? 'create sequence s;' : ''}
  `)
  const reader = `wall_${randomBytes(6).toString('hex')}`
  await database.admin(
    `create user '${reader}'@'%' identified by 'wall'; grant select, show view on ${database.name}.* to '${reader}'@'%'`,
  )
  const url = new URL(database.url)
  if (as === 'reader') Object.assign(url, { username: reader, password: 'wall' })
  const connector = await makeMysqlConnector({ url: url.href, place: 'the walled database' })
  const tableNames = ['orders', 'secrets', ...(database.flavour === 'mariadb' ? ['s'] : [])]
  const ofSchema = (columns: string, view: string, column: string): Promise<readonly object[]> =>
    database.admin(
      `select ${columns} from information_schema.${view} where ${column} = '${database.name}' order by 1, 2`,
    )
  return {
    connector,
    look: async () => {
      const rows = []
      for (const name of tableNames) rows.push(await database.admin(`select * from ${name} order by 1`))
      return JSON.stringify([
        rows,
        await ofSchema('table_name, table_type, create_time', 'tables', 'table_schema'),
        await ofSchema('routine_name, routine_type', 'routines', 'routine_schema'),
        await ofSchema('grantee, privilege_type', 'schema_privileges', 'table_schema'),
        await database.admin('select @@global.general_log'),
        // Named locks outlive transactions.
        await database.admin("select is_used_lock('a') as held"),
      ])
    },
    close: async () => {
      await connector.close()
      await database.admin(`drop user '${reader}'@'%'`)
      await database.drop()
    },
  }
}
