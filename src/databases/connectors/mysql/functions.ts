import { commonFunctions, functionNames } from '../standard-sql.ts'

/**
 * Functions of MySQL 8.4 and MariaDB that read nothing but their arguments (manual, chapter 14). Left out on
 * purpose: `sleep`, `benchmark`, locks, `load_file`, `extractvalue` and `updatexml` (they carry data out in their
 * error messages), what shows the server or the connection, `uncompress`, and `st_buffer` (it makes many points).
 */
export const mysqlFunctions: ReadonlySet<string> = new Set([
  ...commonFunctions,
  ...functionNames(
    `bit_and bit_or bit_xor group_concat json_arrayagg json_objectagg std median percentile_cont percentile_disc`,
    `if ifnull isnull interval row values`,
    `bin bit_count conv crc32 format hex oct rand truncate unhex`,
    `bit_length char elt export_set field find_in_set from_base64 insert instr lcase locate lpad make_set mid ord quote
     regexp_instr regexp_like regexp_replace regexp_substr rpad soundex space strcmp substring_index to_base64 ucase
     convert match md5 sha sha1 sha2 weight_string`,
    `adddate addtime convert_tz curdate curtime date date_add date_format date_sub datediff day dayname dayofmonth
     dayofweek dayofyear from_days from_unixtime get_format hour last_day makedate maketime microsecond minute month
     monthname now period_add period_diff quarter sec_to_time second str_to_date subdate subtime sysdate time
     time_format time_to_sec timediff timestamp timestampadd timestampdiff to_days to_seconds unix_timestamp utc_date
     utc_time utc_timestamp week weekday weekofyear year yearweek`,
    `json_array json_array_append json_array_insert json_contains json_contains_path json_depth json_extract
     json_insert json_keys json_length json_merge_patch json_merge_preserve json_object json_overlaps json_pretty
     json_quote json_remove json_replace json_search json_set json_table json_type json_unquote json_valid json_value`,
    `bin_to_uuid inet6_aton inet6_ntoa inet_aton inet_ntoa is_ipv4 is_ipv6 is_uuid uuid uuid_to_bin point st_astext
     st_contains st_distance st_distance_sphere st_within st_x st_y st_area st_asgeojson st_astext st_asbinary st_aswkb
     st_aswkt st_centroid st_convexhull st_crosses st_difference st_dimension st_disjoint st_endpoint st_envelope
     st_equals st_exteriorring st_geometryn st_geometrytype st_geomfromgeojson st_geomfromtext st_geomfromwkb
     st_interiorringn st_intersection st_intersects st_isclosed st_isempty st_isring st_issimple st_isvalid st_length
     st_numgeometries st_numinteriorrings st_numpoints st_overlaps st_pointfromtext st_pointn st_polygonfromtext
     st_latitude st_longitude st_linefromtext st_relate st_simplify st_srid st_startpoint st_symdifference st_touches st_union
     astext geomfromtext pointfromtext polygonfromtext linefromtext multipointfromtext envelope mbrcontains
     mbrintersects mbrwithin mbroverlaps mbrequal mbrdisjoint linestring polygon multipoint multilinestring
     multipolygon geometrycollection area asbinary astext aswkb aswkt boundary centroid contains convexhull crosses
     dimension disjoint endpoint equals exteriorring geometryfromtext geometryfromwkb geometryn geometrytype
     geomcollfromtext geometrycollectionfromtext geomfromwkb glength interiorringn intersects isclosed isempty isring
     issimple linefromwkb linestringfromtext linestringfromwkb mlinefromtext mpointfromtext mpolyfromtext
     multilinestringfromtext multipolygonfromtext numgeometries numinteriorrings numpoints overlaps pointfromwkb pointn
     pointonsurface polyfromtext polyfromwkb polygonfromwkb srid startpoint touches within st_boundary
     st_geomcollfromtext st_geometrycollectionfromtext st_geometryfromtext st_geometryfromwkb st_linefromwkb
     st_linestringfromtext st_linestringfromwkb st_mlinefromtext st_mpointfromtext st_mpolyfromtext
     st_pointfromwkb st_pointonsurface st_polyfromtext st_polyfromwkb st_polygonfromwkb`,
    `repeat sformat crc32c json_equals json_query json_normalize json_compact json_loose json_detailed json_exists
     natural_sort_key nvl nvl2 to_char add_months chr lengthb compress uncompressed_length
     encode decode`,
  ),
])

/** Bytes at which our sessions cut GROUP_CONCAT. */
export const longestGroupConcat = 1_048_576

/**
 * Functions that every MySQL and MariaDB has built in: a stored function of the same name is found only behind its
 * schema. The others are missing in one of them or in some version, and a stored function may stand in for them.
 */
export const builtInEverywhere: ReadonlySet<string> = functionNames(
  `count sum avg min max std stddev stddev_pop stddev_samp variance var_pop var_samp bit_and bit_or bit_xor group_concat`,
  `row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value`,
  `coalesce nullif ifnull isnull if greatest least cast convert interval values row`,
  `abs ceil ceiling floor round truncate power pow sqrt exp ln log log10 log2 mod sign pi degrees radians sin cos tan
   cot asin acos atan atan2 rand conv bin hex oct unhex crc32 format`,
  `lower upper lcase ucase length char_length character_length octet_length bit_length trim ltrim rtrim substr substring
   mid replace concat concat_ws position left right reverse ascii ord char elt field find_in_set instr locate lpad rpad
   insert quote space strcmp substring_index make_set export_set soundex regexp_instr regexp_replace regexp_substr
   md5 sha sha1 sha2`,
  `extract current_date current_time current_timestamp localtime localtimestamp curdate curtime now sysdate date time
   timestamp year month day hour minute second quarter week weekday weekofyear yearweek dayname dayofmonth dayofweek
   dayofyear monthname last_day makedate maketime microsecond adddate addtime subdate subtime date_add date_sub
   date_format datediff timediff timestampadd timestampdiff str_to_date time_format time_to_sec sec_to_time to_days
   from_days to_seconds from_unixtime unix_timestamp period_add period_diff get_format convert_tz utc_date utc_time
   utc_timestamp`,
  `json_array json_object json_extract json_keys json_length json_type json_unquote json_valid json_contains json_search
   json_set json_insert json_replace json_remove json_depth json_quote json_arrayagg json_objectagg`,
)
