import { commonFunctions, functionNames } from '../standard-sql.ts'

/** Functions of Spark SQL that only compute: none that calls Java, reads files, or tells about the session. */
export const sparkFunctions: ReadonlySet<string> = new Set([
  ...commonFunctions,
  ...functionNames(
    `any any_value approx_count_distinct approx_percentile array_agg bit_and bit_or bit_xor bool_and bool_or collect_list
     collect_set count_if every first first_value histogram_numeric kurtosis last last_value listagg max_by mean median
     min_by mode percentile percentile_approx percentile_cont percentile_disc regr_avgx skewness some std string_agg
     try_avg try_sum`,
    `if ifnull iff nvl nvl2 nullif nullifzero zeroifnull decode isnull isnotnull isnan nanvl try_cast try_add try_divide
     try_multiply try_subtract typeof`,
    `bin bround cbrt conv cosh e expm1 factorial hex hypot log1p negative positive pmod rand randn rint shiftleft
     shiftright shiftrightunsigned signum sinh tanh unhex width_bucket bit_count bit_get div`,
    `base64 unbase64 btrim chr char contains elt endswith find_in_set format_number format_string initcap instr lcase len
     levenshtein locate lpad overlay printf regexp regexp_count regexp_extract regexp_extract_all regexp_instr
     regexp_like regexp_replace regexp_substr repeat rlike rpad sentences soundex space split split_part startswith
     substr substring_index to_char to_number to_varchar translate try_to_number ucase encode like ilike luhn_check
     parse_url url_decode url_encode`,
    `add_months current_timezone curdate date date_add date_diff date_format date_from_unix_date date_part date_sub
     date_trunc dateadd datediff datepart day dayname dayofmonth dayofweek dayofyear extract from_unixtime
     from_utc_timestamp hour last_day make_date make_timestamp make_interval minute month monthname months_between
     next_day now quarter second timestamp timestampadd timestampdiff timestamp_micros timestamp_millis
     timestamp_seconds to_date to_timestamp to_unix_timestamp to_utc_timestamp trunc try_to_timestamp unix_date
     unix_micros unix_millis unix_seconds unix_timestamp weekday weekofyear window window_time year`,
    `array array_append array_compact array_contains array_distinct array_except array_insert array_intersect array_join
     array_max array_min array_position array_prepend array_remove array_size array_sort array_union arrays_overlap
     arrays_zip aggregate cardinality element_at exists explode explode_outer filter flatten forall get inline
     inline_outer map map_concat map_contains_key map_entries map_filter map_from_arrays map_from_entries map_keys
     map_values map_zip_with named_struct posexplode posexplode_outer reduce sequence shuffle size slice sort_array
     struct transform transform_keys transform_values try_element_at zip_with stack str_to_map`,
    `from_json get_json_object json_array_length json_object_keys json_tuple schema_of_json to_json is_variant_null
     parse_json try_parse_json variant_get try_variant_get`,
    `crc32 hash md5 sha sha1 sha2 xxhash64 uuid bigint binary boolean decimal double float int smallint string tinyint`,
  ),
])
