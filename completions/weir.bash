# Completion of weir for bash. Generated: do not edit.

_weir_commands() {
  case $1 in
    '') REPLY='topic group transform cluster shadow top debug cloud diff apply export import security registry profile config doctor sandbox completion version help' ;;
    'topic') REPLY='produce consume search copy redrive find analyze trim-prefix create list describe describe-storage delete alter-config set-config add-partitions reassign elect-leaders' ;;
    'topic reassign') REPLY='plan execute list wait cancel' ;;
    'group') REPLY='list describe lag seek delete offset-delete' ;;
    'transform') REPLY='list deploy pause resume delete logs init build' ;;
    'cluster') REPLY='info health features connections config quotas license brokers maintenance restart-check upgrade logdirs loggers self-test partitions storage iceberg txn auth' ;;
    'cluster connections') REPLY='list' ;;
    'cluster config') REPLY='get set list export import edit status lint force-reset' ;;
    'cluster quotas') REPLY='describe alter import' ;;
    'cluster license') REPLY='info set' ;;
    'cluster brokers') REPLY='list decommission decommission-status recommission' ;;
    'cluster maintenance') REPLY='enable disable status' ;;
    'cluster upgrade') REPLY='status finalize' ;;
    'cluster logdirs') REPLY='describe' ;;
    'cluster loggers') REPLY='list get set' ;;
    'cluster self-test') REPLY='start status stop' ;;
    'cluster partitions') REPLY='list move move-status move-cancel enable disable balance balancer-status transfer-leadership unsafe-recover' ;;
    'cluster storage') REPLY='list-mountable mount unmount list-mount status-mount cancel-mount restore' ;;
    'cluster storage restore') REPLY='start status' ;;
    'cluster iceberg') REPLY='status' ;;
    'cluster txn') REPLY='list describe describe-producers find-hanging abort' ;;
    'cluster auth') REPLY='login logout status' ;;
    'shadow') REPLY='config create list describe status update failover delete' ;;
    'shadow config') REPLY='generate' ;;
    'debug') REPLY='remote-bundle' ;;
    'debug remote-bundle') REPLY='start status download cancel' ;;
    'cloud') REPLY='login logout auth cluster network region resource-group operation resume byoc user service-account role-binding' ;;
    'cloud auth') REPLY='list use delete token' ;;
    'cloud cluster') REPLY='create list get update delete select' ;;
    'cloud network') REPLY='create list get delete' ;;
    'cloud region') REPLY='list' ;;
    'cloud resource-group') REPLY='create list get delete' ;;
    'cloud operation') REPLY='get list wait' ;;
    'cloud byoc') REPLY='aws azure gcp install uninstall' ;;
    'cloud byoc aws') REPLY='apply destroy validate' ;;
    'cloud byoc azure') REPLY='apply destroy validate' ;;
    'cloud byoc gcp') REPLY='apply destroy validate' ;;
    'cloud user') REPLY='list get' ;;
    'cloud service-account') REPLY='create list get delete' ;;
    'cloud role-binding') REPLY='create list get delete' ;;
    'security') REPLY='acl user role secret whoami' ;;
    'security acl') REPLY='create list delete explain' ;;
    'security user') REPLY='create list update delete' ;;
    'security role') REPLY='create list describe assign unassign delete' ;;
    'security secret') REPLY='create list update delete' ;;
    'registry') REPLY='schema subject compatibility-level mode context copy' ;;
    'registry schema') REPLY='create get list diff example check-compatibility references delete' ;;
    'registry subject') REPLY='list delete' ;;
    'registry compatibility-level') REPLY='get set reset' ;;
    'registry mode') REPLY='get set reset' ;;
    'registry context') REPLY='list delete' ;;
    'profile') REPLY='create list rename-to delete use current clear prompt set unset edit print describe validate' ;;
    'config') REPLY='show explain' ;;
    'sandbox') REPLY='start status list logs stop purge' ;;
    'completion') REPLY='install uninstall bash zsh fish powershell' ;;
    *) REPLY= ;;
  esac
}

_weir_step() {
  case "$1/$2" in
    '/topic') REPLY='topic' ;;
    '/group' | '/g') REPLY='group' ;;
    '/transform' | '/wasm' | '/transfrom') REPLY='transform' ;;
    '/cluster') REPLY='cluster' ;;
    '/shadow') REPLY='shadow' ;;
    '/top') REPLY='top' ;;
    '/debug') REPLY='debug' ;;
    '/cloud') REPLY='cloud' ;;
    '/diff') REPLY='diff' ;;
    '/apply') REPLY='apply' ;;
    '/export') REPLY='export' ;;
    '/import') REPLY='import' ;;
    '/security' | '/sec') REPLY='security' ;;
    '/registry' | '/sr' | '/schema-registry') REPLY='registry' ;;
    '/profile') REPLY='profile' ;;
    '/config') REPLY='config' ;;
    '/doctor') REPLY='doctor' ;;
    '/sandbox') REPLY='sandbox' ;;
    '/completion') REPLY='completion' ;;
    '/version') REPLY='version' ;;
    '/help') REPLY='help' ;;
    '/acl') REPLY='acl' ;;
    '/redpanda') REPLY='redpanda' ;;
    '/__complete') REPLY='__complete' ;;
    'topic/produce') REPLY='topic produce' ;;
    'topic/consume') REPLY='topic consume' ;;
    'topic/search') REPLY='topic search' ;;
    'topic/copy') REPLY='topic copy' ;;
    'topic/redrive') REPLY='topic redrive' ;;
    'topic/find') REPLY='topic find' ;;
    'topic/analyze') REPLY='topic analyze' ;;
    'topic/trim-prefix' | 'topic/trim') REPLY='topic trim-prefix' ;;
    'topic/create') REPLY='topic create' ;;
    'topic/list' | 'topic/ls') REPLY='topic list' ;;
    'topic/describe' | 'topic/info') REPLY='topic describe' ;;
    'topic/describe-storage') REPLY='topic describe-storage' ;;
    'topic/delete') REPLY='topic delete' ;;
    'topic/alter-config') REPLY='topic alter-config' ;;
    'topic/set-config') REPLY='topic set-config' ;;
    'topic/add-partitions') REPLY='topic add-partitions' ;;
    'topic/reassign') REPLY='topic reassign' ;;
    'topic/elect-leaders') REPLY='topic elect-leaders' ;;
    'topic reassign/plan') REPLY='topic reassign plan' ;;
    'topic reassign/execute') REPLY='topic reassign execute' ;;
    'topic reassign/list') REPLY='topic reassign list' ;;
    'topic reassign/wait') REPLY='topic reassign wait' ;;
    'topic reassign/cancel') REPLY='topic reassign cancel' ;;
    'group/list' | 'group/ls') REPLY='group list' ;;
    'group/describe') REPLY='group describe' ;;
    'group/lag') REPLY='group lag' ;;
    'group/seek') REPLY='group seek' ;;
    'group/delete') REPLY='group delete' ;;
    'group/offset-delete') REPLY='group offset-delete' ;;
    'transform/list' | 'transform/ls') REPLY='transform list' ;;
    'transform/deploy') REPLY='transform deploy' ;;
    'transform/pause') REPLY='transform pause' ;;
    'transform/resume') REPLY='transform resume' ;;
    'transform/delete') REPLY='transform delete' ;;
    'transform/logs' | 'transform/log') REPLY='transform logs' ;;
    'transform/init') REPLY='transform init' ;;
    'transform/build') REPLY='transform build' ;;
    'cluster/info' | 'cluster/status' | 'cluster/metadata') REPLY='cluster info' ;;
    'cluster/health') REPLY='cluster health' ;;
    'cluster/features') REPLY='cluster features' ;;
    'cluster/connections' | 'cluster/connection') REPLY='cluster connections' ;;
    'cluster/config') REPLY='cluster config' ;;
    'cluster/quotas' | 'cluster/quota') REPLY='cluster quotas' ;;
    'cluster/license') REPLY='cluster license' ;;
    'cluster/brokers') REPLY='cluster brokers' ;;
    'cluster/maintenance') REPLY='cluster maintenance' ;;
    'cluster/restart-check') REPLY='cluster restart-check' ;;
    'cluster/upgrade') REPLY='cluster upgrade' ;;
    'cluster/logdirs') REPLY='cluster logdirs' ;;
    'cluster/loggers') REPLY='cluster loggers' ;;
    'cluster/self-test') REPLY='cluster self-test' ;;
    'cluster/partitions') REPLY='cluster partitions' ;;
    'cluster/storage') REPLY='cluster storage' ;;
    'cluster/iceberg') REPLY='cluster iceberg' ;;
    'cluster/txn' | 'cluster/transaction') REPLY='cluster txn' ;;
    'cluster/auth') REPLY='cluster auth' ;;
    'cluster connections/list' | 'cluster connections/ls') REPLY='cluster connections list' ;;
    'cluster config/get') REPLY='cluster config get' ;;
    'cluster config/set') REPLY='cluster config set' ;;
    'cluster config/list' | 'cluster config/ls') REPLY='cluster config list' ;;
    'cluster config/export') REPLY='cluster config export' ;;
    'cluster config/import') REPLY='cluster config import' ;;
    'cluster config/edit') REPLY='cluster config edit' ;;
    'cluster config/status') REPLY='cluster config status' ;;
    'cluster config/lint') REPLY='cluster config lint' ;;
    'cluster config/force-reset') REPLY='cluster config force-reset' ;;
    'cluster quotas/describe') REPLY='cluster quotas describe' ;;
    'cluster quotas/alter') REPLY='cluster quotas alter' ;;
    'cluster quotas/import') REPLY='cluster quotas import' ;;
    'cluster license/info' | 'cluster license/status') REPLY='cluster license info' ;;
    'cluster license/set') REPLY='cluster license set' ;;
    'cluster brokers/list' | 'cluster brokers/ls') REPLY='cluster brokers list' ;;
    'cluster brokers/decommission') REPLY='cluster brokers decommission' ;;
    'cluster brokers/decommission-status') REPLY='cluster brokers decommission-status' ;;
    'cluster brokers/recommission') REPLY='cluster brokers recommission' ;;
    'cluster maintenance/enable') REPLY='cluster maintenance enable' ;;
    'cluster maintenance/disable') REPLY='cluster maintenance disable' ;;
    'cluster maintenance/status') REPLY='cluster maintenance status' ;;
    'cluster upgrade/status') REPLY='cluster upgrade status' ;;
    'cluster upgrade/finalize') REPLY='cluster upgrade finalize' ;;
    'cluster logdirs/describe') REPLY='cluster logdirs describe' ;;
    'cluster loggers/list' | 'cluster loggers/ls') REPLY='cluster loggers list' ;;
    'cluster loggers/get') REPLY='cluster loggers get' ;;
    'cluster loggers/set') REPLY='cluster loggers set' ;;
    'cluster self-test/start') REPLY='cluster self-test start' ;;
    'cluster self-test/status') REPLY='cluster self-test status' ;;
    'cluster self-test/stop') REPLY='cluster self-test stop' ;;
    'cluster partitions/list' | 'cluster partitions/ls' | 'cluster partitions/describe') REPLY='cluster partitions list' ;;
    'cluster partitions/move') REPLY='cluster partitions move' ;;
    'cluster partitions/move-status') REPLY='cluster partitions move-status' ;;
    'cluster partitions/move-cancel' | 'cluster partitions/alter-cancel' | 'cluster partitions/movement-cancel') REPLY='cluster partitions move-cancel' ;;
    'cluster partitions/enable') REPLY='cluster partitions enable' ;;
    'cluster partitions/disable') REPLY='cluster partitions disable' ;;
    'cluster partitions/balance') REPLY='cluster partitions balance' ;;
    'cluster partitions/balancer-status') REPLY='cluster partitions balancer-status' ;;
    'cluster partitions/transfer-leadership') REPLY='cluster partitions transfer-leadership' ;;
    'cluster partitions/unsafe-recover') REPLY='cluster partitions unsafe-recover' ;;
    'cluster storage/list-mountable') REPLY='cluster storage list-mountable' ;;
    'cluster storage/mount') REPLY='cluster storage mount' ;;
    'cluster storage/unmount') REPLY='cluster storage unmount' ;;
    'cluster storage/list-mount' | 'cluster storage/list-unmount') REPLY='cluster storage list-mount' ;;
    'cluster storage/status-mount' | 'cluster storage/status-unmount') REPLY='cluster storage status-mount' ;;
    'cluster storage/cancel-mount' | 'cluster storage/cancel-unmount') REPLY='cluster storage cancel-mount' ;;
    'cluster storage/restore' | 'cluster storage/recovery') REPLY='cluster storage restore' ;;
    'cluster storage restore/start') REPLY='cluster storage restore start' ;;
    'cluster storage restore/status') REPLY='cluster storage restore status' ;;
    'cluster iceberg/status') REPLY='cluster iceberg status' ;;
    'cluster txn/list' | 'cluster txn/ls') REPLY='cluster txn list' ;;
    'cluster txn/describe') REPLY='cluster txn describe' ;;
    'cluster txn/describe-producers') REPLY='cluster txn describe-producers' ;;
    'cluster txn/find-hanging') REPLY='cluster txn find-hanging' ;;
    'cluster txn/abort') REPLY='cluster txn abort' ;;
    'cluster auth/login') REPLY='cluster auth login' ;;
    'cluster auth/logout') REPLY='cluster auth logout' ;;
    'cluster auth/status') REPLY='cluster auth status' ;;
    'shadow/config') REPLY='shadow config' ;;
    'shadow/create') REPLY='shadow create' ;;
    'shadow/list' | 'shadow/ls') REPLY='shadow list' ;;
    'shadow/describe') REPLY='shadow describe' ;;
    'shadow/status') REPLY='shadow status' ;;
    'shadow/update') REPLY='shadow update' ;;
    'shadow/failover') REPLY='shadow failover' ;;
    'shadow/delete') REPLY='shadow delete' ;;
    'shadow config/generate') REPLY='shadow config generate' ;;
    'debug/remote-bundle') REPLY='debug remote-bundle' ;;
    'debug remote-bundle/start') REPLY='debug remote-bundle start' ;;
    'debug remote-bundle/status') REPLY='debug remote-bundle status' ;;
    'debug remote-bundle/download') REPLY='debug remote-bundle download' ;;
    'debug remote-bundle/cancel') REPLY='debug remote-bundle cancel' ;;
    'cloud/login') REPLY='cloud login' ;;
    'cloud/logout') REPLY='cloud logout' ;;
    'cloud/auth') REPLY='cloud auth' ;;
    'cloud/cluster') REPLY='cloud cluster' ;;
    'cloud/network') REPLY='cloud network' ;;
    'cloud/region') REPLY='cloud region' ;;
    'cloud/resource-group' | 'cloud/namespace' | 'cloud/ns') REPLY='cloud resource-group' ;;
    'cloud/operation') REPLY='cloud operation' ;;
    'cloud/resume') REPLY='cloud resume' ;;
    'cloud/byoc') REPLY='cloud byoc' ;;
    'cloud/user') REPLY='cloud user' ;;
    'cloud/service-account') REPLY='cloud service-account' ;;
    'cloud/role-binding') REPLY='cloud role-binding' ;;
    'cloud auth/list' | 'cloud auth/ls') REPLY='cloud auth list' ;;
    'cloud auth/use') REPLY='cloud auth use' ;;
    'cloud auth/delete') REPLY='cloud auth delete' ;;
    'cloud auth/token') REPLY='cloud auth token' ;;
    'cloud cluster/create') REPLY='cloud cluster create' ;;
    'cloud cluster/list' | 'cloud cluster/ls') REPLY='cloud cluster list' ;;
    'cloud cluster/get') REPLY='cloud cluster get' ;;
    'cloud cluster/update') REPLY='cloud cluster update' ;;
    'cloud cluster/delete') REPLY='cloud cluster delete' ;;
    'cloud cluster/select' | 'cloud cluster/use') REPLY='cloud cluster select' ;;
    'cloud network/create') REPLY='cloud network create' ;;
    'cloud network/list' | 'cloud network/ls') REPLY='cloud network list' ;;
    'cloud network/get') REPLY='cloud network get' ;;
    'cloud network/delete') REPLY='cloud network delete' ;;
    'cloud region/list' | 'cloud region/ls') REPLY='cloud region list' ;;
    'cloud resource-group/create') REPLY='cloud resource-group create' ;;
    'cloud resource-group/list' | 'cloud resource-group/ls') REPLY='cloud resource-group list' ;;
    'cloud resource-group/get') REPLY='cloud resource-group get' ;;
    'cloud resource-group/delete') REPLY='cloud resource-group delete' ;;
    'cloud operation/get') REPLY='cloud operation get' ;;
    'cloud operation/list' | 'cloud operation/ls') REPLY='cloud operation list' ;;
    'cloud operation/wait') REPLY='cloud operation wait' ;;
    'cloud byoc/aws') REPLY='cloud byoc aws' ;;
    'cloud byoc/azure') REPLY='cloud byoc azure' ;;
    'cloud byoc/gcp') REPLY='cloud byoc gcp' ;;
    'cloud byoc/install') REPLY='cloud byoc install' ;;
    'cloud byoc/uninstall') REPLY='cloud byoc uninstall' ;;
    'cloud byoc aws/apply') REPLY='cloud byoc aws apply' ;;
    'cloud byoc aws/destroy') REPLY='cloud byoc aws destroy' ;;
    'cloud byoc aws/validate') REPLY='cloud byoc aws validate' ;;
    'cloud byoc azure/apply') REPLY='cloud byoc azure apply' ;;
    'cloud byoc azure/destroy') REPLY='cloud byoc azure destroy' ;;
    'cloud byoc azure/validate') REPLY='cloud byoc azure validate' ;;
    'cloud byoc gcp/apply') REPLY='cloud byoc gcp apply' ;;
    'cloud byoc gcp/destroy') REPLY='cloud byoc gcp destroy' ;;
    'cloud byoc gcp/validate') REPLY='cloud byoc gcp validate' ;;
    'cloud user/list' | 'cloud user/ls') REPLY='cloud user list' ;;
    'cloud user/get') REPLY='cloud user get' ;;
    'cloud service-account/create') REPLY='cloud service-account create' ;;
    'cloud service-account/list' | 'cloud service-account/ls') REPLY='cloud service-account list' ;;
    'cloud service-account/get') REPLY='cloud service-account get' ;;
    'cloud service-account/delete') REPLY='cloud service-account delete' ;;
    'cloud role-binding/create') REPLY='cloud role-binding create' ;;
    'cloud role-binding/list' | 'cloud role-binding/ls') REPLY='cloud role-binding list' ;;
    'cloud role-binding/get') REPLY='cloud role-binding get' ;;
    'cloud role-binding/delete') REPLY='cloud role-binding delete' ;;
    'security/acl') REPLY='security acl' ;;
    'security/user') REPLY='security user' ;;
    'security/role' | 'security/access' | 'security/roles') REPLY='security role' ;;
    'security/secret') REPLY='security secret' ;;
    'security/whoami') REPLY='security whoami' ;;
    'security acl/create') REPLY='security acl create' ;;
    'security acl/list' | 'security acl/ls' | 'security acl/describe') REPLY='security acl list' ;;
    'security acl/delete') REPLY='security acl delete' ;;
    'security acl/explain') REPLY='security acl explain' ;;
    'security user/create') REPLY='security user create' ;;
    'security user/list' | 'security user/ls') REPLY='security user list' ;;
    'security user/update') REPLY='security user update' ;;
    'security user/delete') REPLY='security user delete' ;;
    'security role/create') REPLY='security role create' ;;
    'security role/list' | 'security role/ls') REPLY='security role list' ;;
    'security role/describe' | 'security role/info') REPLY='security role describe' ;;
    'security role/assign' | 'security role/add') REPLY='security role assign' ;;
    'security role/unassign' | 'security role/remove') REPLY='security role unassign' ;;
    'security role/delete') REPLY='security role delete' ;;
    'security secret/create') REPLY='security secret create' ;;
    'security secret/list' | 'security secret/ls') REPLY='security secret list' ;;
    'security secret/update') REPLY='security secret update' ;;
    'security secret/delete') REPLY='security secret delete' ;;
    'registry/schema') REPLY='registry schema' ;;
    'registry/subject') REPLY='registry subject' ;;
    'registry/compatibility-level') REPLY='registry compatibility-level' ;;
    'registry/mode') REPLY='registry mode' ;;
    'registry/context') REPLY='registry context' ;;
    'registry/copy') REPLY='registry copy' ;;
    'registry schema/create') REPLY='registry schema create' ;;
    'registry schema/get') REPLY='registry schema get' ;;
    'registry schema/list' | 'registry schema/ls') REPLY='registry schema list' ;;
    'registry schema/diff') REPLY='registry schema diff' ;;
    'registry schema/example') REPLY='registry schema example' ;;
    'registry schema/check-compatibility') REPLY='registry schema check-compatibility' ;;
    'registry schema/references') REPLY='registry schema references' ;;
    'registry schema/delete') REPLY='registry schema delete' ;;
    'registry subject/list' | 'registry subject/ls') REPLY='registry subject list' ;;
    'registry subject/delete') REPLY='registry subject delete' ;;
    'registry compatibility-level/get') REPLY='registry compatibility-level get' ;;
    'registry compatibility-level/set') REPLY='registry compatibility-level set' ;;
    'registry compatibility-level/reset') REPLY='registry compatibility-level reset' ;;
    'registry mode/get') REPLY='registry mode get' ;;
    'registry mode/set') REPLY='registry mode set' ;;
    'registry mode/reset') REPLY='registry mode reset' ;;
    'registry context/list' | 'registry context/ls') REPLY='registry context list' ;;
    'registry context/delete') REPLY='registry context delete' ;;
    'profile/create') REPLY='profile create' ;;
    'profile/list' | 'profile/ls') REPLY='profile list' ;;
    'profile/rename-to' | 'profile/rename') REPLY='profile rename-to' ;;
    'profile/delete') REPLY='profile delete' ;;
    'profile/use') REPLY='profile use' ;;
    'profile/current') REPLY='profile current' ;;
    'profile/clear') REPLY='profile clear' ;;
    'profile/prompt') REPLY='profile prompt' ;;
    'profile/set') REPLY='profile set' ;;
    'profile/unset') REPLY='profile unset' ;;
    'profile/edit') REPLY='profile edit' ;;
    'profile/print') REPLY='profile print' ;;
    'profile/describe') REPLY='profile describe' ;;
    'profile/validate') REPLY='profile validate' ;;
    'config/show') REPLY='config show' ;;
    'config/explain') REPLY='config explain' ;;
    'sandbox/start') REPLY='sandbox start' ;;
    'sandbox/status') REPLY='sandbox status' ;;
    'sandbox/list' | 'sandbox/ls') REPLY='sandbox list' ;;
    'sandbox/logs') REPLY='sandbox logs' ;;
    'sandbox/stop') REPLY='sandbox stop' ;;
    'sandbox/purge') REPLY='sandbox purge' ;;
    'completion/install') REPLY='completion install' ;;
    'completion/uninstall') REPLY='completion uninstall' ;;
    'completion/bash') REPLY='completion bash' ;;
    'completion/zsh') REPLY='completion zsh' ;;
    'completion/fish') REPLY='completion fish' ;;
    'completion/powershell') REPLY='completion powershell' ;;
    *) return 1 ;;
  esac
}

_weir_flags() {
  case $1 in
    'topic produce') REPLY='--record-format --output-format --value --key --header --partition --compression --acks --delivery-timeout --max-message-bytes --tombstone --allow-auto-topic-creation --schema-id --schema-key-id --schema-type --schema-key-type --schema-context --generate --num --rate --for --seed --dry-run' ;;
    'topic consume') REPLY='--offset --partitions --regex --group --balancer --group-protocol --instance-id --record-format --num --idle --tail --pretty-print --parse-json --meta-only --read-committed --print-control-records --fetch-max-bytes --fetch-max-partition-bytes --fetch-max-wait --rack --use-schema-registry --on-decode-error --schema-context --where --key --header --contains --explain' ;;
    'topic search') REPLY='--where --key --header --contains --offset --partitions --regex --num --record-format --pretty-print --parse-json --meta-only --read-committed --fetch-max-bytes --fetch-max-partition-bytes --fetch-max-wait --rack --use-schema-registry --on-decode-error --schema-context --explain' ;;
    'topic copy') REPLY='--offset --partitions --regex --follow --exactly-once --partitions-by --where --key --header --contains --use-schema-registry --schema-context --map-schemas --group --offsets --create --append --restart --dry-run' ;;
    'topic redrive') REPLY='--to --only --offset --partitions --num --rate --partitions-by --where --key --header --contains --use-schema-registry --schema-context --max-attempts --keep-headers --group --restart --exactly-once --dry-run' ;;
    'topic find') REPLY='--partitioner --partitions --encoding' ;;
    'topic analyze') REPLY='--offset --time-range --limit --top-keys --print-all --regex' ;;
    'topic trim-prefix') REPLY='--offset --partitions --from-file --dry-run' ;;
    'topic create') REPLY='--partitions --replicas --topic-config --if-not-exists --dry-run' ;;
    'topic list') REPLY='--detailed --internal --regex' ;;
    'topic describe') REPLY='--print-summary --print-configs --print-partitions --print-sizes --print-all --regex --changed --stable' ;;
    'topic describe-storage') REPLY='--print-all --print-summary --print-offset --print-size --print-sync --human-readable' ;;
    'topic delete') REPLY='--regex --if-exists --dry-run' ;;
    'topic alter-config') REPLY='--set --delete --append --subtract --regex --dry-run' ;;
    'topic set-config') REPLY='--regex --dry-run' ;;
    'topic add-partitions') REPLY='--num --to --force --regex --dry-run' ;;
    'topic reassign plan') REPLY='--brokers --replicas --ignore-racks --out --regex' ;;
    'topic reassign execute') REPLY='--throttle --wait --wait-timeout --additional --undo-file --dry-run' ;;
    'topic reassign list') REPLY='--watch' ;;
    'topic reassign wait') REPLY='--wait-timeout --dry-run' ;;
    'topic reassign cancel') REPLY='--all --dry-run' ;;
    'topic elect-leaders') REPLY='--partitions --unclean --regex --dry-run' ;;
    'group list') REPLY='--topics --states --types' ;;
    'group describe') REPLY='--print-summary --print-commits --print-members --print-lag-per-topic --regex' ;;
    'group lag') REPLY='--regex --watch --interval --age --fail-above --until-zero --for' ;;
    'group seek') REPLY='--to --to-offset --to-group --to-file --topics --regex --allow-new-topics --allow-new-group --undo-file --dry-run' ;;
    'group delete') REPLY='--regex --if-exists --dry-run' ;;
    'group offset-delete') REPLY='--topic --from-file --dry-run' ;;
    'transform list') REPLY='--detailed' ;;
    'transform deploy') REPLY='--file --name --input-topic --output-topic --var --compression --from-offset --dry-run' ;;
    'transform pause') REPLY='--dry-run' ;;
    'transform resume') REPLY='--dry-run' ;;
    'transform delete') REPLY='--dry-run' ;;
    'transform logs') REPLY='--follow --head --tail --since --until' ;;
    'cluster info') REPLY='--print-cluster --print-brokers --print-topics --print-internal-topics --print-detailed-topics' ;;
    'cluster health') REPLY='--api --watch --until-healthy --wait-timeout' ;;
    'cluster connections list') REPLY='--client-id --user --ip-address --group-id --state --idle-ms --client-software-name --client-software-version --filter-raw --order-by --limit' ;;
    'cluster config get') REPLY='--broker --default --api' ;;
    'cluster config set') REPLY='--broker --reset --force --wait --wait-timeout --api --dry-run' ;;
    'cluster config list') REPLY='--broker --default --all --filter --api' ;;
    'cluster config export') REPLY='--file --all' ;;
    'cluster config import') REPLY='--file --all --wait --wait-timeout --dry-run' ;;
    'cluster config edit') REPLY='--all --wait --wait-timeout --dry-run' ;;
    'cluster config status') REPLY='--wait --wait-timeout' ;;
    'cluster config lint') REPLY='--dry-run' ;;
    'cluster config force-reset') REPLY='--cache-file --dry-run' ;;
    'cluster quotas describe') REPLY='--name --default --any --strict' ;;
    'cluster quotas alter') REPLY='--name --default --add --delete --dry-run' ;;
    'cluster quotas import') REPLY='--from --dry-run' ;;
    'cluster license set') REPLY='--file --dry-run' ;;
    'cluster brokers list') REPLY='--include-decommissioned' ;;
    'cluster brokers decommission') REPLY='--wait --wait-timeout --force --dry-run' ;;
    'cluster brokers decommission-status') REPLY='--detailed --human-readable --wait --wait-timeout' ;;
    'cluster brokers recommission') REPLY='--dry-run' ;;
    'cluster maintenance enable') REPLY='--wait --wait-timeout --dry-run' ;;
    'cluster maintenance disable') REPLY='--dry-run' ;;
    'cluster restart-check') REPLY='--api --after --wait-timeout --ignore-rf1' ;;
    'cluster upgrade finalize') REPLY='--dry-run' ;;
    'cluster logdirs describe') REPLY='--broker --topics --aggregate-into --sort-by-size --human-readable' ;;
    'cluster loggers list') REPLY='--broker --api' ;;
    'cluster loggers get') REPLY='--broker --api' ;;
    'cluster loggers set') REPLY='--broker --api --level --expiry-seconds --dry-run' ;;
    'cluster self-test start') REPLY='--disk-duration-ms --network-duration-ms --cloud-timeout-ms --cloud-backoff-ms --participant-node-ids --only-disk-test --only-network-test --only-cloud-test --wait --wait-timeout --dry-run' ;;
    'cluster self-test status') REPLY='--wait --wait-timeout' ;;
    'cluster self-test stop') REPLY='--dry-run' ;;
    'cluster partitions list') REPLY='--all --disabled-only --partitions --node-ids' ;;
    'cluster partitions move') REPLY='--partition --wait --wait-timeout --dry-run' ;;
    'cluster partitions move-status') REPLY='--print-all --human-readable --partitions --wait --wait-timeout' ;;
    'cluster partitions move-cancel') REPLY='--node --dry-run' ;;
    'cluster partitions enable') REPLY='--all --partitions --dry-run' ;;
    'cluster partitions disable') REPLY='--all --partitions --dry-run' ;;
    'cluster partitions balance') REPLY='--dry-run' ;;
    'cluster partitions transfer-leadership') REPLY='--partition --dry-run' ;;
    'cluster partitions unsafe-recover') REPLY='--from-nodes --force --dry-run' ;;
    'cluster storage mount') REPLY='--to --wait --wait-timeout --dry-run' ;;
    'cluster storage unmount') REPLY='--wait --wait-timeout --dry-run' ;;
    'cluster storage list-mount') REPLY='--filter' ;;
    'cluster storage status-mount') REPLY='--wait --wait-timeout' ;;
    'cluster storage cancel-mount') REPLY='--wait --wait-timeout --dry-run' ;;
    'cluster storage restore start') REPLY='--wait --wait-timeout --cluster-uuid --dry-run' ;;
    'cluster storage restore status') REPLY='--wait --wait-timeout' ;;
    'cluster txn list') REPLY='--state --older-than' ;;
    'cluster txn describe') REPLY='--print-partitions' ;;
    'cluster txn describe-producers') REPLY='--topics --partitions --all' ;;
    'cluster txn find-hanging') REPLY='--topics --partitions --max-transaction-timeout' ;;
    'cluster txn abort') REPLY='--partition --start-offset --producer-id --dry-run' ;;
    'cluster auth login') REPLY='--browser --no-browser --dry-run' ;;
    'cluster auth logout') REPLY='--all --dry-run' ;;
    'shadow config generate') REPLY='--output' ;;
    'shadow create') REPLY='--config-file --dry-run' ;;
    'shadow describe') REPLY='--print-overview --print-client --print-topic --print-consumer --print-security --print-registry --print-role --print-all' ;;
    'shadow status') REPLY='--watch --print-overview --print-task --print-topic --print-registry --print-all' ;;
    'shadow update') REPLY='--config-file --dry-run' ;;
    'shadow failover') REPLY='--all --topic --wait --wait-timeout --dry-run' ;;
    'shadow delete') REPLY='--force --dry-run' ;;
    'top') REPLY='--interval --once --filter --internal' ;;
    'debug remote-bundle start') REPLY='--controller-logs-size-limit --cpu-profiler-wait --logs-since --logs-until --logs-size-limit --metrics-interval --metrics-samples --partition --namespace --label-selector --job-id --broker --wait --wait-timeout --dry-run' ;;
    'debug remote-bundle status') REPLY='--job-id --broker --wait --wait-timeout' ;;
    'debug remote-bundle download') REPLY='--output --job-id --broker' ;;
    'debug remote-bundle cancel') REPLY='--job-id --broker --dry-run' ;;
    'cloud login') REPLY='--save --client-secret-stdin --client-secret-file --browser --no-browser --dry-run' ;;
    'cloud logout') REPLY='--clear-credentials --all --dry-run' ;;
    'cloud auth use') REPLY='--dry-run' ;;
    'cloud auth delete') REPLY='--dry-run' ;;
    'cloud cluster create') REPLY='--name --resource-group-id --network-id --cloud-provider --connection-type --region --throughput-tier --type --zones --set --set-json --file --apply --project-id --subscription-id --wait --no-wait --wait-timeout --dry-run' ;;
    'cloud cluster list') REPLY='--name-contains --resource-group-id --region' ;;
    'cloud cluster update') REPLY='--set --set-json --file --wait --no-wait --wait-timeout --dry-run' ;;
    'cloud cluster delete') REPLY='--destroy --project-id --subscription-id --with-network --with-resource-group --wait --no-wait --wait-timeout --dry-run' ;;
    'cloud cluster select') REPLY='--name --replace --dry-run' ;;
    'cloud network create') REPLY='--name --resource-group-id --cidr-block --cloud-provider --cluster-type --region --file --wait --no-wait --wait-timeout --dry-run' ;;
    'cloud network list') REPLY='--name-contains --resource-group-id --region' ;;
    'cloud network delete') REPLY='--wait --no-wait --wait-timeout --dry-run' ;;
    'cloud region list') REPLY='--cloud-provider --cluster-type' ;;
    'cloud resource-group create') REPLY='--file --dry-run' ;;
    'cloud resource-group delete') REPLY='--dry-run' ;;
    'cloud operation list') REPLY='--state --type --resource-id' ;;
    'cloud operation wait') REPLY='--wait-timeout' ;;
    'cloud resume') REPLY='--destroy --project-id --subscription-id --wait-timeout --forget --dry-run' ;;
    'cloud byoc aws apply') REPLY='--cluster-id --dry-run' ;;
    'cloud byoc aws destroy') REPLY='--cluster-id --force --dry-run' ;;
    'cloud byoc aws validate') REPLY='--cluster-id' ;;
    'cloud byoc azure apply') REPLY='--cluster-id --subscription-id --dry-run' ;;
    'cloud byoc azure destroy') REPLY='--cluster-id --subscription-id --force --dry-run' ;;
    'cloud byoc azure validate') REPLY='--cluster-id --subscription-id' ;;
    'cloud byoc gcp apply') REPLY='--cluster-id --project-id --dry-run' ;;
    'cloud byoc gcp destroy') REPLY='--cluster-id --project-id --force --dry-run' ;;
    'cloud byoc gcp validate') REPLY='--cluster-id --project-id' ;;
    'cloud byoc install') REPLY='--cluster-id --dry-run' ;;
    'cloud byoc uninstall') REPLY='--dry-run' ;;
    'cloud service-account create') REPLY='--name --description --file --save-profile --dry-run' ;;
    'cloud service-account delete') REPLY='--dry-run' ;;
    'cloud role-binding create') REPLY='--role-name --account-id --resource-id --resource-type --file --dry-run' ;;
    'cloud role-binding list') REPLY='--role-name --resource-type' ;;
    'cloud role-binding delete') REPLY='--dry-run' ;;
    'diff') REPLY='--prune --max-deletes --strict --force --rotate --allow --verify-passwords --profile --out --report' ;;
    'apply') REPLY='--prune --max-deletes --strict --force --rotate --allow --verify-passwords --profile --dry-run' ;;
    'export') REPLY='--owns --split --profile' ;;
    'import') REPLY='--owns --split' ;;
    'security acl create') REPLY='--allow-principal --deny-principal --allow-role --deny-role --allow-host --deny-host --operation --topic --group --transactional-id --cluster --delegation-token --user-principal --registry-global --registry-subject --resource-pattern-type --dry-run' ;;
    'security acl list') REPLY='--allow-principal --deny-principal --allow-role --deny-role --allow-host --deny-host --operation --topic --group --transactional-id --cluster --delegation-token --user-principal --registry-global --registry-subject --resource-pattern-type --print-filters --subsystem' ;;
    'security acl delete') REPLY='--allow-principal --deny-principal --allow-role --deny-role --allow-host --deny-host --operation --topic --group --transactional-id --cluster --delegation-token --user-principal --registry-global --registry-subject --resource-pattern-type --all --print-filters --dry-run' ;;
    'security acl explain') REPLY='--host --super-user --allow-everyone-if-no-acl-found' ;;
    'security user create') REPLY='--api --password-stdin --password-file --generate-password --mechanism --iterations --dry-run' ;;
    'security user list') REPLY='--api' ;;
    'security user update') REPLY='--api --password-stdin --password-file --generate-password --mechanism --iterations --dry-run' ;;
    'security user delete') REPLY='--api --mechanism --if-exists --dry-run' ;;
    'security role create') REPLY='--dry-run' ;;
    'security role list') REPLY='--prefix --principal' ;;
    'security role describe') REPLY='--print-permissions --print-members --print-all' ;;
    'security role assign') REPLY='--principal --dry-run' ;;
    'security role unassign') REPLY='--principal --dry-run' ;;
    'security role delete') REPLY='--keep-acls --dry-run' ;;
    'security secret create') REPLY='--name --scopes --value-stdin --value-file --cluster --dry-run' ;;
    'security secret list') REPLY='--name-contains --cluster' ;;
    'security secret update') REPLY='--name --scopes --value-stdin --value-file --cluster --dry-run' ;;
    'security secret delete') REPLY='--name --cluster --dry-run' ;;
    'registry') REPLY='--schema-context' ;;
    'registry schema') REPLY='--schema-context' ;;
    'registry schema create') REPLY='--schema --type --references --normalize --id --schema-version --metadata --schema-context --dry-run' ;;
    'registry schema get') REPLY='--schema-version --id --schema --type --references --normalize --deleted --print-schema --print-metadata --schema-context' ;;
    'registry schema list') REPLY='--deleted --schema-context --regex' ;;
    'registry schema diff') REPLY='--schema-context' ;;
    'registry schema example') REPLY='--schema-version --schema-type --line --schema-context' ;;
    'registry schema check-compatibility') REPLY='--schema --schema-version --type --references --schema-context' ;;
    'registry schema references') REPLY='--schema-version --deleted --schema-context' ;;
    'registry schema delete') REPLY='--schema-version --permanent --schema-context --dry-run' ;;
    'registry subject') REPLY='--schema-context' ;;
    'registry subject list') REPLY='--deleted --schema-context' ;;
    'registry subject delete') REPLY='--permanent --regex --if-exists --schema-context --dry-run' ;;
    'registry compatibility-level') REPLY='--schema-context' ;;
    'registry compatibility-level get') REPLY='--global --schema-context' ;;
    'registry compatibility-level set') REPLY='--level --global --schema-context --dry-run' ;;
    'registry compatibility-level reset') REPLY='--schema-context --dry-run' ;;
    'registry mode') REPLY='--schema-context' ;;
    'registry mode get') REPLY='--global --schema-context' ;;
    'registry mode set') REPLY='--mode --force --global --schema-context --dry-run' ;;
    'registry mode reset') REPLY='--schema-context --dry-run' ;;
    'registry context delete') REPLY='--dry-run' ;;
    'registry copy') REPLY='--regex --deleted --new-ids --dry-run' ;;
    'profile create') REPLY='--set --description --protected --from --from-rpk --dry-run' ;;
    'profile rename-to') REPLY='--dry-run' ;;
    'profile delete') REPLY='--dry-run' ;;
    'profile use') REPLY='--dry-run' ;;
    'profile current') REPLY='--no-newline' ;;
    'profile clear') REPLY='--dry-run' ;;
    'profile prompt') REPLY='--validate --shell' ;;
    'profile set') REPLY='--stdin --file --keychain --dry-run' ;;
    'profile unset') REPLY='--dry-run' ;;
    'profile edit') REPLY='--dry-run' ;;
    'profile print') REPLY='--show-secrets' ;;
    'profile describe') REPLY='--show-secrets' ;;
    'config show') REPLY='--show-secrets --changed' ;;
    'config explain') REPLY='--show-secrets' ;;
    'doctor') REPLY='--report' ;;
    'sandbox start') REPLY='--brokers --engine --flavour --tls --mtls --sasl --kafka-version --port --cloud --registry --admin --name --dry-run' ;;
    'sandbox status') REPLY='--name' ;;
    'sandbox logs') REPLY='--follow --lines --name' ;;
    'sandbox stop') REPLY='--name --dry-run' ;;
    'sandbox purge') REPLY='--name --dry-run' ;;
    'completion install') REPLY='--dry-run' ;;
    'completion uninstall') REPLY='--dry-run' ;;
    'help') REPLY='--find --json --man' ;;
    *) REPLY= ;;
  esac
  REPLY+=' --config-opt --profile --config --broker-config --format --verbose --quiet --trace --color --no-input --yes --no-headers --help --version'
}

_weir_value() {
  case "$1/$2" in
    'topic produce/--record-format' | 'topic produce/-f') REPLY='' ;;
    'topic produce/--output-format' | 'topic produce/-o') REPLY='' ;;
    'topic produce/--value') REPLY='' ;;
    'topic produce/--key' | 'topic produce/-k') REPLY='' ;;
    'topic produce/--header' | 'topic produce/-H') REPLY='' ;;
    'topic produce/--partition' | 'topic produce/-p') REPLY='' ;;
    'topic produce/--compression' | 'topic produce/-z') REPLY='none gzip snappy lz4 zstd' ;;
    'topic produce/--acks') REPLY='all -1 0 1' ;;
    'topic produce/--delivery-timeout') REPLY='' ;;
    'topic produce/--max-message-bytes') REPLY='' ;;
    'topic produce/--schema-id') REPLY='' ;;
    'topic produce/--schema-key-id') REPLY='' ;;
    'topic produce/--schema-type') REPLY='' ;;
    'topic produce/--schema-key-type') REPLY='' ;;
    'topic produce/--schema-context') REPLY='' ;;
    'topic produce/--generate') REPLY='@subjects sample topic' ;;
    'topic produce/--num' | 'topic produce/-n') REPLY='' ;;
    'topic produce/--rate') REPLY='' ;;
    'topic produce/--for') REPLY='' ;;
    'topic produce/--seed') REPLY='' ;;
    'topic consume/--offset' | 'topic consume/-o') REPLY='start end :end -10:end @-1h @-1h:end' ;;
    'topic consume/--partitions' | 'topic consume/-p') REPLY=,'' ;;
    'topic consume/--group' | 'topic consume/-g') REPLY=@groups ;;
    'topic consume/--balancer' | 'topic consume/-b') REPLY='range roundrobin sticky cooperative-sticky uniform' ;;
    'topic consume/--group-protocol') REPLY='classic consumer' ;;
    'topic consume/--instance-id') REPLY='' ;;
    'topic consume/--record-format' | 'topic consume/-f') REPLY='' ;;
    'topic consume/--num' | 'topic consume/-n') REPLY='' ;;
    'topic consume/--idle') REPLY='' ;;
    'topic consume/--tail') REPLY='' ;;
    'topic consume/--pretty-print') REPLY='true false' ;;
    'topic consume/--parse-json') REPLY='true false' ;;
    'topic consume/--fetch-max-bytes') REPLY='' ;;
    'topic consume/--fetch-max-partition-bytes') REPLY='' ;;
    'topic consume/--fetch-max-wait') REPLY='' ;;
    'topic consume/--rack') REPLY='' ;;
    'topic consume/--use-schema-registry') REPLY=,'key value' ;;
    'topic consume/--on-decode-error') REPLY='raw skip fail' ;;
    'topic consume/--schema-context') REPLY='' ;;
    'topic consume/--where') REPLY='key value. headers. partition offset timestampMs keyAsText valueAsText topic' ;;
    'topic consume/--key') REPLY='' ;;
    'topic consume/--header') REPLY='' ;;
    'topic consume/--contains') REPLY='' ;;
    'topic search/--where') REPLY='key value. headers. partition offset timestampMs keyAsText valueAsText topic' ;;
    'topic search/--key') REPLY='' ;;
    'topic search/--header') REPLY='' ;;
    'topic search/--contains') REPLY='' ;;
    'topic search/--offset' | 'topic search/-o') REPLY='start end :end -10:end @-1h @-1h:end' ;;
    'topic search/--partitions' | 'topic search/-p') REPLY=,'' ;;
    'topic search/--num' | 'topic search/-n') REPLY='' ;;
    'topic search/--record-format' | 'topic search/-f') REPLY='' ;;
    'topic search/--pretty-print') REPLY='true false' ;;
    'topic search/--parse-json') REPLY='true false' ;;
    'topic search/--fetch-max-bytes') REPLY='' ;;
    'topic search/--fetch-max-partition-bytes') REPLY='' ;;
    'topic search/--fetch-max-wait') REPLY='' ;;
    'topic search/--rack') REPLY='' ;;
    'topic search/--use-schema-registry') REPLY=,'key value' ;;
    'topic search/--on-decode-error') REPLY='raw skip fail' ;;
    'topic search/--schema-context') REPLY='' ;;
    'topic copy/--offset' | 'topic copy/-o') REPLY='start end :end -10:end @-1h @-1h:end' ;;
    'topic copy/--partitions' | 'topic copy/-p') REPLY=,'' ;;
    'topic copy/--partitions-by') REPLY='same key' ;;
    'topic copy/--where') REPLY='key value. headers. partition offset timestampMs keyAsText valueAsText topic' ;;
    'topic copy/--key') REPLY='' ;;
    'topic copy/--header') REPLY='' ;;
    'topic copy/--contains') REPLY='' ;;
    'topic copy/--use-schema-registry') REPLY=,'key value' ;;
    'topic copy/--schema-context') REPLY='' ;;
    'topic copy/--map-schemas') REPLY=,'key value' ;;
    'topic copy/--group' | 'topic copy/-g') REPLY=@groups ;;
    'topic copy/--offsets') REPLY=,'@groups all' ;;
    'topic redrive/--to') REPLY='@topics origin header:' ;;
    'topic redrive/--only') REPLY=,@topics ;;
    'topic redrive/--offset' | 'topic redrive/-o') REPLY='start end :end -10:end @-1h @-1h:end' ;;
    'topic redrive/--partitions' | 'topic redrive/-p') REPLY=,'' ;;
    'topic redrive/--num' | 'topic redrive/-n') REPLY='' ;;
    'topic redrive/--rate') REPLY='' ;;
    'topic redrive/--partitions-by') REPLY='origin key same' ;;
    'topic redrive/--where') REPLY='key value. headers. partition offset timestampMs keyAsText valueAsText topic' ;;
    'topic redrive/--key') REPLY='' ;;
    'topic redrive/--header') REPLY='' ;;
    'topic redrive/--contains') REPLY='' ;;
    'topic redrive/--use-schema-registry') REPLY=,'key value' ;;
    'topic redrive/--schema-context') REPLY='' ;;
    'topic redrive/--max-attempts') REPLY='' ;;
    'topic redrive/--group' | 'topic redrive/-g') REPLY=@groups ;;
    'topic find/--partitioner') REPLY='murmur2 crc32 fnv1a' ;;
    'topic find/--partitions' | 'topic find/-n') REPLY='' ;;
    'topic find/--encoding') REPLY='text hex base64' ;;
    'topic analyze/--offset' | 'topic analyze/-o') REPLY='start end :end -10:end @-1h @-1h:end' ;;
    'topic analyze/--time-range' | 'topic analyze/-t') REPLY='' ;;
    'topic analyze/--limit') REPLY='' ;;
    'topic analyze/--top-keys') REPLY='' ;;
    'topic trim-prefix/--offset' | 'topic trim-prefix/-o') REPLY='end @-24h' ;;
    'topic trim-prefix/--partitions' | 'topic trim-prefix/-p') REPLY=,'' ;;
    'topic trim-prefix/--from-file' | 'topic trim-prefix/-f') REPLY=@files ;;
    'topic create/--partitions' | 'topic create/-p') REPLY='' ;;
    'topic create/--replicas' | 'topic create/-r') REPLY='' ;;
    'topic create/--topic-config' | 'topic create/-c') REPLY='cleanup.policy= cleanup.policy=delete cleanup.policy=compact cleanup.policy=compact,delete compaction.strategy= compression.gzip.level= compression.lz4.level= compression.type= compression.type=producer compression.type=none compression.type=uncompressed compression.type=gzip compression.type=lz4 compression.type=snappy compression.type=zstd compression.zstd.level= confluent.key.schema.validation= confluent.key.subject.name.strategy= confluent.value.schema.validation= confluent.value.subject.name.strategy= delete.retention.ms= file.delete.delay.ms= flush.bytes= flush.messages= flush.ms= follower.replication.throttled.replicas= index.interval.bytes= initial.retention.local.target.bytes= initial.retention.local.target.ms= leader.replication.throttled.replicas= local.retention.bytes= local.retention.ms= max.compaction.lag.ms= max.message.bytes= message.timestamp.after.max.ms= message.timestamp.before.max.ms= message.timestamp.type= message.timestamp.type=CreateTime message.timestamp.type=LogAppendTime min.cleanable.dirty.ratio= min.compaction.lag.ms= min.insync.replicas= preallocate= redpanda.iceberg.delete= redpanda.iceberg.invalid.record.action= redpanda.iceberg.invalid.record.action=drop redpanda.iceberg.invalid.record.action=dlq_table redpanda.iceberg.mode= redpanda.iceberg.partition.spec= redpanda.iceberg.target.lag.ms= redpanda.key.schema.id.validation= redpanda.key.subject.name.strategy= redpanda.leaders.preference= redpanda.remote.allowgaps= redpanda.remote.delete= redpanda.remote.read= redpanda.remote.readreplica= redpanda.remote.recovery= redpanda.remote.write= redpanda.schema.registry.context= redpanda.storage.mode= redpanda.storage.mode=local redpanda.storage.mode=tiered redpanda.storage.mode=cloud redpanda.storage.mode=unset redpanda.storage.mode.impl= redpanda.value.schema.id.validation= redpanda.value.subject.name.strategy= remote.log.copy.disable= remote.log.delete.on.disable= remote.storage.enable= replication.factor= retention.bytes= retention.local.target.bytes= retention.local.target.ms= retention.ms= segment.bytes= segment.index.bytes= segment.jitter.ms= segment.ms= unclean.leader.election.enable= unclean.leader.election.enable=true unclean.leader.election.enable=false write.caching= write.caching=true write.caching=false' ;;
    'topic alter-config/--set' | 'topic alter-config/-s') REPLY='cleanup.policy= cleanup.policy=delete cleanup.policy=compact cleanup.policy=compact,delete compaction.strategy= compression.gzip.level= compression.lz4.level= compression.type= compression.type=producer compression.type=none compression.type=uncompressed compression.type=gzip compression.type=lz4 compression.type=snappy compression.type=zstd compression.zstd.level= confluent.key.schema.validation= confluent.key.subject.name.strategy= confluent.value.schema.validation= confluent.value.subject.name.strategy= delete.retention.ms= file.delete.delay.ms= flush.bytes= flush.messages= flush.ms= follower.replication.throttled.replicas= index.interval.bytes= initial.retention.local.target.bytes= initial.retention.local.target.ms= leader.replication.throttled.replicas= local.retention.bytes= local.retention.ms= max.compaction.lag.ms= max.message.bytes= message.timestamp.after.max.ms= message.timestamp.before.max.ms= message.timestamp.type= message.timestamp.type=CreateTime message.timestamp.type=LogAppendTime min.cleanable.dirty.ratio= min.compaction.lag.ms= min.insync.replicas= preallocate= redpanda.iceberg.delete= redpanda.iceberg.invalid.record.action= redpanda.iceberg.invalid.record.action=drop redpanda.iceberg.invalid.record.action=dlq_table redpanda.iceberg.mode= redpanda.iceberg.partition.spec= redpanda.iceberg.target.lag.ms= redpanda.key.schema.id.validation= redpanda.key.subject.name.strategy= redpanda.leaders.preference= redpanda.remote.allowgaps= redpanda.remote.delete= redpanda.remote.read= redpanda.remote.readreplica= redpanda.remote.recovery= redpanda.remote.write= redpanda.schema.registry.context= redpanda.storage.mode= redpanda.storage.mode=local redpanda.storage.mode=tiered redpanda.storage.mode=cloud redpanda.storage.mode=unset redpanda.storage.mode.impl= redpanda.value.schema.id.validation= redpanda.value.subject.name.strategy= remote.log.copy.disable= remote.log.delete.on.disable= remote.storage.enable= replication.factor= retention.bytes= retention.local.target.bytes= retention.local.target.ms= retention.ms= segment.bytes= segment.index.bytes= segment.jitter.ms= segment.ms= unclean.leader.election.enable= unclean.leader.election.enable=true unclean.leader.election.enable=false write.caching= write.caching=true write.caching=false' ;;
    'topic alter-config/--delete' | 'topic alter-config/-d') REPLY=,'cleanup.policy compaction.strategy compression.gzip.level compression.lz4.level compression.type compression.zstd.level confluent.key.schema.validation confluent.key.subject.name.strategy confluent.value.schema.validation confluent.value.subject.name.strategy delete.retention.ms file.delete.delay.ms flush.bytes flush.messages flush.ms follower.replication.throttled.replicas index.interval.bytes initial.retention.local.target.bytes initial.retention.local.target.ms leader.replication.throttled.replicas local.retention.bytes local.retention.ms max.compaction.lag.ms max.message.bytes message.timestamp.after.max.ms message.timestamp.before.max.ms message.timestamp.type min.cleanable.dirty.ratio min.compaction.lag.ms min.insync.replicas preallocate redpanda.iceberg.delete redpanda.iceberg.invalid.record.action redpanda.iceberg.mode redpanda.iceberg.partition.spec redpanda.iceberg.target.lag.ms redpanda.key.schema.id.validation redpanda.key.subject.name.strategy redpanda.leaders.preference redpanda.remote.allowgaps redpanda.remote.delete redpanda.remote.read redpanda.remote.readreplica redpanda.remote.recovery redpanda.remote.write redpanda.schema.registry.context redpanda.storage.mode redpanda.storage.mode.impl redpanda.value.schema.id.validation redpanda.value.subject.name.strategy remote.log.copy.disable remote.log.delete.on.disable remote.storage.enable replication.factor retention.bytes retention.local.target.bytes retention.local.target.ms retention.ms segment.bytes segment.index.bytes segment.jitter.ms segment.ms unclean.leader.election.enable write.caching' ;;
    'topic alter-config/--append') REPLY='cleanup.policy= cleanup.policy=delete cleanup.policy=compact cleanup.policy=compact,delete compaction.strategy= compression.gzip.level= compression.lz4.level= compression.type= compression.type=producer compression.type=none compression.type=uncompressed compression.type=gzip compression.type=lz4 compression.type=snappy compression.type=zstd compression.zstd.level= confluent.key.schema.validation= confluent.key.subject.name.strategy= confluent.value.schema.validation= confluent.value.subject.name.strategy= delete.retention.ms= file.delete.delay.ms= flush.bytes= flush.messages= flush.ms= follower.replication.throttled.replicas= index.interval.bytes= initial.retention.local.target.bytes= initial.retention.local.target.ms= leader.replication.throttled.replicas= local.retention.bytes= local.retention.ms= max.compaction.lag.ms= max.message.bytes= message.timestamp.after.max.ms= message.timestamp.before.max.ms= message.timestamp.type= message.timestamp.type=CreateTime message.timestamp.type=LogAppendTime min.cleanable.dirty.ratio= min.compaction.lag.ms= min.insync.replicas= preallocate= redpanda.iceberg.delete= redpanda.iceberg.invalid.record.action= redpanda.iceberg.invalid.record.action=drop redpanda.iceberg.invalid.record.action=dlq_table redpanda.iceberg.mode= redpanda.iceberg.partition.spec= redpanda.iceberg.target.lag.ms= redpanda.key.schema.id.validation= redpanda.key.subject.name.strategy= redpanda.leaders.preference= redpanda.remote.allowgaps= redpanda.remote.delete= redpanda.remote.read= redpanda.remote.readreplica= redpanda.remote.recovery= redpanda.remote.write= redpanda.schema.registry.context= redpanda.storage.mode= redpanda.storage.mode=local redpanda.storage.mode=tiered redpanda.storage.mode=cloud redpanda.storage.mode=unset redpanda.storage.mode.impl= redpanda.value.schema.id.validation= redpanda.value.subject.name.strategy= remote.log.copy.disable= remote.log.delete.on.disable= remote.storage.enable= replication.factor= retention.bytes= retention.local.target.bytes= retention.local.target.ms= retention.ms= segment.bytes= segment.index.bytes= segment.jitter.ms= segment.ms= unclean.leader.election.enable= unclean.leader.election.enable=true unclean.leader.election.enable=false write.caching= write.caching=true write.caching=false' ;;
    'topic alter-config/--subtract') REPLY='cleanup.policy= cleanup.policy=delete cleanup.policy=compact cleanup.policy=compact,delete compaction.strategy= compression.gzip.level= compression.lz4.level= compression.type= compression.type=producer compression.type=none compression.type=uncompressed compression.type=gzip compression.type=lz4 compression.type=snappy compression.type=zstd compression.zstd.level= confluent.key.schema.validation= confluent.key.subject.name.strategy= confluent.value.schema.validation= confluent.value.subject.name.strategy= delete.retention.ms= file.delete.delay.ms= flush.bytes= flush.messages= flush.ms= follower.replication.throttled.replicas= index.interval.bytes= initial.retention.local.target.bytes= initial.retention.local.target.ms= leader.replication.throttled.replicas= local.retention.bytes= local.retention.ms= max.compaction.lag.ms= max.message.bytes= message.timestamp.after.max.ms= message.timestamp.before.max.ms= message.timestamp.type= message.timestamp.type=CreateTime message.timestamp.type=LogAppendTime min.cleanable.dirty.ratio= min.compaction.lag.ms= min.insync.replicas= preallocate= redpanda.iceberg.delete= redpanda.iceberg.invalid.record.action= redpanda.iceberg.invalid.record.action=drop redpanda.iceberg.invalid.record.action=dlq_table redpanda.iceberg.mode= redpanda.iceberg.partition.spec= redpanda.iceberg.target.lag.ms= redpanda.key.schema.id.validation= redpanda.key.subject.name.strategy= redpanda.leaders.preference= redpanda.remote.allowgaps= redpanda.remote.delete= redpanda.remote.read= redpanda.remote.readreplica= redpanda.remote.recovery= redpanda.remote.write= redpanda.schema.registry.context= redpanda.storage.mode= redpanda.storage.mode=local redpanda.storage.mode=tiered redpanda.storage.mode=cloud redpanda.storage.mode=unset redpanda.storage.mode.impl= redpanda.value.schema.id.validation= redpanda.value.subject.name.strategy= remote.log.copy.disable= remote.log.delete.on.disable= remote.storage.enable= replication.factor= retention.bytes= retention.local.target.bytes= retention.local.target.ms= retention.ms= segment.bytes= segment.index.bytes= segment.jitter.ms= segment.ms= unclean.leader.election.enable= unclean.leader.election.enable=true unclean.leader.election.enable=false write.caching= write.caching=true write.caching=false' ;;
    'topic add-partitions/--num' | 'topic add-partitions/-n') REPLY='' ;;
    'topic add-partitions/--to') REPLY='' ;;
    'topic reassign plan/--brokers') REPLY=,@brokers ;;
    'topic reassign plan/--replicas') REPLY='' ;;
    'topic reassign plan/--out' | 'topic reassign plan/-o') REPLY=@files ;;
    'topic reassign execute/--throttle') REPLY='' ;;
    'topic reassign execute/--wait-timeout') REPLY='' ;;
    'topic reassign execute/--undo-file') REPLY=@files ;;
    'topic reassign wait/--wait-timeout') REPLY='' ;;
    'topic elect-leaders/--partitions' | 'topic elect-leaders/-p') REPLY=,'' ;;
    'group list/--topics') REPLY=,@topics ;;
    'group list/--states' | 'group list/-s') REPLY=,'PreparingRebalance CompletingRebalance Stable Empty Dead Assigning Reconciling NotReady' ;;
    'group list/--types' | 'group list/-t') REPLY=,'classic consumer share streams' ;;
    'group lag/--interval') REPLY='' ;;
    'group lag/--fail-above') REPLY='' ;;
    'group lag/--for') REPLY='' ;;
    'group seek/--to') REPLY='start end +1 -1h yesterday 9:00' ;;
    'group seek/--to-offset') REPLY='' ;;
    'group seek/--to-group') REPLY=@groups ;;
    'group seek/--to-file') REPLY=@files ;;
    'group seek/--topics') REPLY=,@topics ;;
    'group seek/--undo-file') REPLY=@files ;;
    'group offset-delete/--topic' | 'group offset-delete/-t') REPLY=,@topics ;;
    'group offset-delete/--from-file' | 'group offset-delete/-f') REPLY=@files ;;
    'transform deploy/--file') REPLY=@files ;;
    'transform deploy/--name') REPLY='' ;;
    'transform deploy/--input-topic' | 'transform deploy/-i') REPLY=@admin-topics ;;
    'transform deploy/--output-topic' | 'transform deploy/-o') REPLY=,@admin-topics ;;
    'transform deploy/--var') REPLY='' ;;
    'transform deploy/--compression') REPLY='none gzip snappy lz4 zstd' ;;
    'transform deploy/--from-offset') REPLY='' ;;
    'transform logs/--head') REPLY='' ;;
    'transform logs/--tail') REPLY='' ;;
    'transform logs/--since') REPLY='' ;;
    'transform logs/--until') REPLY='' ;;
    'cluster health/--api') REPLY='kafka admin' ;;
    'cluster health/--wait-timeout') REPLY='' ;;
    'cluster connections list/--client-id') REPLY='' ;;
    'cluster connections list/--user' | 'cluster connections list/-u') REPLY=@users ;;
    'cluster connections list/--ip-address') REPLY='' ;;
    'cluster connections list/--group-id' | 'cluster connections list/-g') REPLY=@groups ;;
    'cluster connections list/--state' | 'cluster connections list/-s') REPLY='OPEN CLOSED' ;;
    'cluster connections list/--idle-ms' | 'cluster connections list/-i') REPLY='' ;;
    'cluster connections list/--client-software-name') REPLY='' ;;
    'cluster connections list/--client-software-version') REPLY='' ;;
    'cluster connections list/--filter-raw') REPLY='' ;;
    'cluster connections list/--order-by') REPLY='recent_request_statistics.produce_bytes recent_request_statistics.fetch_bytes recent_request_statistics.request_count idle_duration open_time' ;;
    'cluster connections list/--limit') REPLY='' ;;
    'cluster config get/--broker' | 'cluster config get/-b') REPLY=@brokers ;;
    'cluster config get/--api') REPLY='kafka admin' ;;
    'cluster config set/--broker' | 'cluster config set/-b') REPLY=@brokers ;;
    'cluster config set/--wait-timeout') REPLY='' ;;
    'cluster config set/--api') REPLY='kafka admin' ;;
    'cluster config list/--broker' | 'cluster config list/-b') REPLY=@brokers ;;
    'cluster config list/--filter') REPLY='' ;;
    'cluster config list/--api') REPLY='kafka admin' ;;
    'cluster config export/--file' | 'cluster config export/-f') REPLY=@files ;;
    'cluster config import/--file' | 'cluster config import/-f') REPLY=@files ;;
    'cluster config import/--wait-timeout') REPLY='' ;;
    'cluster config edit/--wait-timeout') REPLY='' ;;
    'cluster config status/--wait-timeout') REPLY='' ;;
    'cluster config force-reset/--cache-file') REPLY=@files ;;
    'cluster quotas describe/--name') REPLY=,'' ;;
    'cluster quotas describe/--default') REPLY=,'client-id user ip' ;;
    'cluster quotas describe/--any') REPLY=,'client-id user ip' ;;
    'cluster quotas alter/--name') REPLY=,'' ;;
    'cluster quotas alter/--default') REPLY=,'client-id user ip' ;;
    'cluster quotas alter/--add') REPLY=,'' ;;
    'cluster quotas alter/--delete') REPLY=,'' ;;
    'cluster quotas import/--from') REPLY='' ;;
    'cluster license set/--file') REPLY=@files ;;
    'cluster brokers decommission/--wait-timeout') REPLY='' ;;
    'cluster brokers decommission-status/--wait-timeout') REPLY='' ;;
    'cluster maintenance enable/--wait-timeout') REPLY='' ;;
    'cluster restart-check/--api') REPLY='kafka admin' ;;
    'cluster restart-check/--wait-timeout') REPLY='' ;;
    'cluster logdirs describe/--broker' | 'cluster logdirs describe/-b') REPLY=@brokers ;;
    'cluster logdirs describe/--topics') REPLY=,@topics ;;
    'cluster logdirs describe/--aggregate-into') REPLY='partition topic dir broker' ;;
    'cluster loggers list/--broker' | 'cluster loggers list/-b') REPLY=@brokers ;;
    'cluster loggers list/--api') REPLY='kafka admin' ;;
    'cluster loggers get/--broker' | 'cluster loggers get/-b') REPLY=@brokers ;;
    'cluster loggers get/--api') REPLY='kafka admin' ;;
    'cluster loggers set/--broker' | 'cluster loggers set/-b') REPLY=@brokers ;;
    'cluster loggers set/--api') REPLY='kafka admin' ;;
    'cluster loggers set/--level' | 'cluster loggers set/-l') REPLY='error warn info debug trace' ;;
    'cluster loggers set/--expiry-seconds' | 'cluster loggers set/-e') REPLY='' ;;
    'cluster self-test start/--disk-duration-ms') REPLY='' ;;
    'cluster self-test start/--network-duration-ms') REPLY='' ;;
    'cluster self-test start/--cloud-timeout-ms') REPLY='' ;;
    'cluster self-test start/--cloud-backoff-ms') REPLY='' ;;
    'cluster self-test start/--participant-node-ids') REPLY=,@admin-brokers ;;
    'cluster self-test start/--wait-timeout') REPLY='' ;;
    'cluster self-test status/--wait-timeout') REPLY='' ;;
    'cluster partitions list/--partitions' | 'cluster partitions list/-p') REPLY=,'' ;;
    'cluster partitions list/--node-ids' | 'cluster partitions list/-n') REPLY=,@admin-brokers ;;
    'cluster partitions move/--partition' | 'cluster partitions move/-p') REPLY='' ;;
    'cluster partitions move/--wait-timeout') REPLY='' ;;
    'cluster partitions move-status/--partitions' | 'cluster partitions move-status/-p') REPLY=,'' ;;
    'cluster partitions move-status/--wait-timeout') REPLY='' ;;
    'cluster partitions move-cancel/--node') REPLY=@admin-brokers ;;
    'cluster partitions enable/--partitions' | 'cluster partitions enable/-p') REPLY='' ;;
    'cluster partitions disable/--partitions' | 'cluster partitions disable/-p') REPLY='' ;;
    'cluster partitions transfer-leadership/--partition' | 'cluster partitions transfer-leadership/-p') REPLY='' ;;
    'cluster partitions unsafe-recover/--from-nodes') REPLY=,@admin-brokers ;;
    'cluster storage mount/--to') REPLY='' ;;
    'cluster storage mount/--wait-timeout') REPLY='' ;;
    'cluster storage unmount/--wait-timeout') REPLY='' ;;
    'cluster storage list-mount/--filter' | 'cluster storage list-mount/-f') REPLY='all planned preparing prepared executing executed cut_over finished canceling cancelled deleted' ;;
    'cluster storage status-mount/--wait-timeout') REPLY='' ;;
    'cluster storage cancel-mount/--wait-timeout') REPLY='' ;;
    'cluster storage restore start/--wait-timeout') REPLY='' ;;
    'cluster storage restore start/--cluster-uuid') REPLY='' ;;
    'cluster storage restore status/--wait-timeout') REPLY='' ;;
    'cluster txn list/--state') REPLY=,'Empty Ongoing PrepareCommit PrepareAbort CompleteCommit CompleteAbort Dead PrepareEpochFence' ;;
    'cluster txn list/--older-than') REPLY='' ;;
    'cluster txn describe-producers/--topics' | 'cluster txn describe-producers/-t') REPLY=,@topics ;;
    'cluster txn describe-producers/--partitions' | 'cluster txn describe-producers/-p') REPLY=,'' ;;
    'cluster txn find-hanging/--topics' | 'cluster txn find-hanging/-t') REPLY=,@topics ;;
    'cluster txn find-hanging/--partitions' | 'cluster txn find-hanging/-p') REPLY=,'' ;;
    'cluster txn find-hanging/--max-transaction-timeout') REPLY='' ;;
    'cluster txn abort/--partition' | 'cluster txn abort/-p') REPLY='' ;;
    'cluster txn abort/--start-offset') REPLY='' ;;
    'cluster txn abort/--producer-id') REPLY='' ;;
    'shadow config generate/--output' | 'shadow config generate/-o') REPLY=@files ;;
    'shadow create/--config-file' | 'shadow create/-c') REPLY=@files ;;
    'shadow update/--config-file' | 'shadow update/-c') REPLY=@files ;;
    'shadow failover/--topic') REPLY='' ;;
    'shadow failover/--wait-timeout') REPLY='' ;;
    'top/--interval') REPLY='' ;;
    'top/--filter') REPLY='' ;;
    'debug remote-bundle start/--controller-logs-size-limit') REPLY='' ;;
    'debug remote-bundle start/--cpu-profiler-wait') REPLY='' ;;
    'debug remote-bundle start/--logs-since') REPLY='' ;;
    'debug remote-bundle start/--logs-until') REPLY='' ;;
    'debug remote-bundle start/--logs-size-limit') REPLY='' ;;
    'debug remote-bundle start/--metrics-interval') REPLY='' ;;
    'debug remote-bundle start/--metrics-samples') REPLY='' ;;
    'debug remote-bundle start/--partition' | 'debug remote-bundle start/-p') REPLY='' ;;
    'debug remote-bundle start/--namespace' | 'debug remote-bundle start/-n') REPLY='' ;;
    'debug remote-bundle start/--label-selector' | 'debug remote-bundle start/-l') REPLY='' ;;
    'debug remote-bundle start/--job-id') REPLY='' ;;
    'debug remote-bundle start/--broker') REPLY=,@admin-brokers ;;
    'debug remote-bundle start/--wait-timeout') REPLY='' ;;
    'debug remote-bundle status/--job-id') REPLY=@bundle-jobs ;;
    'debug remote-bundle status/--broker') REPLY=,@admin-brokers ;;
    'debug remote-bundle status/--wait-timeout') REPLY='' ;;
    'debug remote-bundle download/--output' | 'debug remote-bundle download/-o') REPLY=@files ;;
    'debug remote-bundle download/--job-id') REPLY=@bundle-jobs ;;
    'debug remote-bundle download/--broker') REPLY=,@admin-brokers ;;
    'debug remote-bundle cancel/--job-id') REPLY=@bundle-jobs ;;
    'debug remote-bundle cancel/--broker') REPLY=,@admin-brokers ;;
    'cloud login/--client-secret-file') REPLY=@files ;;
    'cloud cluster create/--name') REPLY='' ;;
    'cloud cluster create/--resource-group-id') REPLY=@resource-groups ;;
    'cloud cluster create/--network-id') REPLY=@cloud-networks ;;
    'cloud cluster create/--cloud-provider') REPLY='aws azure gcp' ;;
    'cloud cluster create/--connection-type') REPLY='public private' ;;
    'cloud cluster create/--region') REPLY='' ;;
    'cloud cluster create/--throughput-tier') REPLY='' ;;
    'cloud cluster create/--type') REPLY='byoc dedicated' ;;
    'cloud cluster create/--zones') REPLY=,'' ;;
    'cloud cluster create/--set') REPLY='' ;;
    'cloud cluster create/--set-json') REPLY='' ;;
    'cloud cluster create/--file') REPLY=@files ;;
    'cloud cluster create/--project-id') REPLY='' ;;
    'cloud cluster create/--subscription-id') REPLY='' ;;
    'cloud cluster create/--wait-timeout') REPLY='' ;;
    'cloud cluster list/--name-contains') REPLY='' ;;
    'cloud cluster list/--resource-group-id') REPLY=@resource-groups ;;
    'cloud cluster list/--region') REPLY='' ;;
    'cloud cluster update/--set') REPLY='' ;;
    'cloud cluster update/--set-json') REPLY='' ;;
    'cloud cluster update/--file') REPLY=@files ;;
    'cloud cluster update/--wait-timeout') REPLY='' ;;
    'cloud cluster delete/--project-id') REPLY='' ;;
    'cloud cluster delete/--subscription-id') REPLY='' ;;
    'cloud cluster delete/--wait-timeout') REPLY='' ;;
    'cloud cluster select/--name') REPLY='' ;;
    'cloud network create/--name') REPLY='' ;;
    'cloud network create/--resource-group-id') REPLY=@resource-groups ;;
    'cloud network create/--cidr-block') REPLY='' ;;
    'cloud network create/--cloud-provider') REPLY='aws azure gcp' ;;
    'cloud network create/--cluster-type') REPLY='byoc dedicated' ;;
    'cloud network create/--region') REPLY='' ;;
    'cloud network create/--file') REPLY=@files ;;
    'cloud network create/--wait-timeout') REPLY='' ;;
    'cloud network list/--name-contains') REPLY='' ;;
    'cloud network list/--resource-group-id') REPLY=@resource-groups ;;
    'cloud network list/--region') REPLY='' ;;
    'cloud network delete/--wait-timeout') REPLY='' ;;
    'cloud region list/--cloud-provider') REPLY='aws azure gcp' ;;
    'cloud region list/--cluster-type') REPLY='byoc dedicated' ;;
    'cloud resource-group create/--file') REPLY=@files ;;
    'cloud operation list/--state') REPLY='' ;;
    'cloud operation list/--type') REPLY=,'' ;;
    'cloud operation list/--resource-id') REPLY='' ;;
    'cloud operation wait/--wait-timeout') REPLY='' ;;
    'cloud resume/--project-id') REPLY='' ;;
    'cloud resume/--subscription-id') REPLY='' ;;
    'cloud resume/--wait-timeout') REPLY='' ;;
    'cloud byoc aws apply/--cluster-id') REPLY=@cloud-clusters ;;
    'cloud byoc aws destroy/--cluster-id') REPLY=@cloud-clusters ;;
    'cloud byoc aws validate/--cluster-id') REPLY=@cloud-clusters ;;
    'cloud byoc azure apply/--cluster-id') REPLY=@cloud-clusters ;;
    'cloud byoc azure apply/--subscription-id') REPLY='' ;;
    'cloud byoc azure destroy/--cluster-id') REPLY=@cloud-clusters ;;
    'cloud byoc azure destroy/--subscription-id') REPLY='' ;;
    'cloud byoc azure validate/--cluster-id') REPLY=@cloud-clusters ;;
    'cloud byoc azure validate/--subscription-id') REPLY='' ;;
    'cloud byoc gcp apply/--cluster-id') REPLY=@cloud-clusters ;;
    'cloud byoc gcp apply/--project-id') REPLY='' ;;
    'cloud byoc gcp destroy/--cluster-id') REPLY=@cloud-clusters ;;
    'cloud byoc gcp destroy/--project-id') REPLY='' ;;
    'cloud byoc gcp validate/--cluster-id') REPLY=@cloud-clusters ;;
    'cloud byoc gcp validate/--project-id') REPLY='' ;;
    'cloud byoc install/--cluster-id') REPLY=@cloud-clusters ;;
    'cloud service-account create/--name') REPLY='' ;;
    'cloud service-account create/--description') REPLY='' ;;
    'cloud service-account create/--file') REPLY=@files ;;
    'cloud service-account create/--save-profile') REPLY='' ;;
    'cloud role-binding create/--role-name') REPLY='Reader Writer Admin' ;;
    'cloud role-binding create/--account-id') REPLY='' ;;
    'cloud role-binding create/--resource-id') REPLY='' ;;
    'cloud role-binding create/--resource-type') REPLY='cluster resource-group network serverless-cluster organization' ;;
    'cloud role-binding create/--file') REPLY=@files ;;
    'cloud role-binding list/--role-name') REPLY='' ;;
    'cloud role-binding list/--resource-type') REPLY='cluster resource-group network serverless-cluster organization' ;;
    'diff/--max-deletes') REPLY='' ;;
    'diff/--rotate') REPLY=,'' ;;
    'diff/--allow') REPLY=,'cluster' ;;
    'diff/--profile') REPLY=@profiles ;;
    'diff/--out' | 'diff/-o') REPLY=@files ;;
    'diff/--report') REPLY=@files ;;
    'apply/--max-deletes') REPLY='' ;;
    'apply/--rotate') REPLY=,'' ;;
    'apply/--allow') REPLY=,'cluster' ;;
    'apply/--profile') REPLY=@profiles ;;
    'export/--owns') REPLY=,'' ;;
    'export/--split') REPLY=@directories ;;
    'export/--profile') REPLY=@profiles ;;
    'import/--owns') REPLY=,'' ;;
    'import/--split') REPLY=@directories ;;
    'security acl create/--allow-principal') REPLY=,@users ;;
    'security acl create/--deny-principal') REPLY=,@users ;;
    'security acl create/--allow-role') REPLY=,@roles ;;
    'security acl create/--deny-role') REPLY=,@roles ;;
    'security acl create/--allow-host') REPLY=,'' ;;
    'security acl create/--deny-host') REPLY=,'' ;;
    'security acl create/--operation') REPLY=,'all read write create delete alter describe cluster_action describe_configs alter_configs idempotent_write create_tokens describe_tokens two_phase_commit' ;;
    'security acl create/--topic') REPLY=,@topics ;;
    'security acl create/--group') REPLY=,@groups ;;
    'security acl create/--transactional-id') REPLY=,'' ;;
    'security acl create/--delegation-token') REPLY=,'' ;;
    'security acl create/--user-principal') REPLY=,@users ;;
    'security acl create/--registry-subject') REPLY=,@subjects ;;
    'security acl create/--resource-pattern-type') REPLY='literal prefixed' ;;
    'security acl list/--allow-principal') REPLY=,@users ;;
    'security acl list/--deny-principal') REPLY=,@users ;;
    'security acl list/--allow-role') REPLY=,@roles ;;
    'security acl list/--deny-role') REPLY=,@roles ;;
    'security acl list/--allow-host') REPLY=,'' ;;
    'security acl list/--deny-host') REPLY=,'' ;;
    'security acl list/--operation') REPLY=,'any all read write create delete alter describe cluster_action describe_configs alter_configs idempotent_write create_tokens describe_tokens two_phase_commit' ;;
    'security acl list/--topic') REPLY=,@topics ;;
    'security acl list/--group') REPLY=,@groups ;;
    'security acl list/--transactional-id') REPLY=,'' ;;
    'security acl list/--delegation-token') REPLY=,'' ;;
    'security acl list/--user-principal') REPLY=,@users ;;
    'security acl list/--registry-subject') REPLY=,@subjects ;;
    'security acl list/--resource-pattern-type') REPLY='any match literal prefixed' ;;
    'security acl list/--subsystem') REPLY=,'kafka registry' ;;
    'security acl delete/--allow-principal') REPLY=,@users ;;
    'security acl delete/--deny-principal') REPLY=,@users ;;
    'security acl delete/--allow-role') REPLY=,@roles ;;
    'security acl delete/--deny-role') REPLY=,@roles ;;
    'security acl delete/--allow-host') REPLY=,'' ;;
    'security acl delete/--deny-host') REPLY=,'' ;;
    'security acl delete/--operation') REPLY=,'any all read write create delete alter describe cluster_action describe_configs alter_configs idempotent_write create_tokens describe_tokens two_phase_commit' ;;
    'security acl delete/--topic') REPLY=,@topics ;;
    'security acl delete/--group') REPLY=,@groups ;;
    'security acl delete/--transactional-id') REPLY=,'' ;;
    'security acl delete/--delegation-token') REPLY=,'' ;;
    'security acl delete/--user-principal') REPLY=,@users ;;
    'security acl delete/--registry-subject') REPLY=,@subjects ;;
    'security acl delete/--resource-pattern-type') REPLY='any match literal prefixed' ;;
    'security acl explain/--host') REPLY='' ;;
    'security acl explain/--super-user') REPLY=,@users ;;
    'security acl explain/--allow-everyone-if-no-acl-found') REPLY='true false' ;;
    'security user create/--api') REPLY='kafka admin' ;;
    'security user create/--password-file') REPLY=@files ;;
    'security user create/--mechanism') REPLY=,'SCRAM-SHA-256 SCRAM-SHA-512' ;;
    'security user create/--iterations') REPLY='' ;;
    'security user list/--api') REPLY='kafka admin' ;;
    'security user update/--api') REPLY='kafka admin' ;;
    'security user update/--password-file') REPLY=@files ;;
    'security user update/--mechanism') REPLY=,'SCRAM-SHA-256 SCRAM-SHA-512' ;;
    'security user update/--iterations') REPLY='' ;;
    'security user delete/--api') REPLY='kafka admin' ;;
    'security user delete/--mechanism') REPLY=,'SCRAM-SHA-256 SCRAM-SHA-512' ;;
    'security role list/--prefix') REPLY=@roles ;;
    'security role list/--principal') REPLY=@users ;;
    'security role assign/--principal') REPLY=,@users ;;
    'security role unassign/--principal') REPLY=,@users ;;
    'security secret create/--name') REPLY='' ;;
    'security secret create/--scopes') REPLY=,'redpanda-connect redpanda-cluster' ;;
    'security secret create/--value-file') REPLY=@files ;;
    'security secret create/--cluster') REPLY=@cloud-clusters ;;
    'security secret list/--name-contains') REPLY='' ;;
    'security secret list/--cluster') REPLY=@cloud-clusters ;;
    'security secret update/--name') REPLY='' ;;
    'security secret update/--scopes') REPLY=,'redpanda-connect redpanda-cluster' ;;
    'security secret update/--value-file') REPLY=@files ;;
    'security secret update/--cluster') REPLY=@cloud-clusters ;;
    'security secret delete/--name') REPLY='' ;;
    'security secret delete/--cluster') REPLY=@cloud-clusters ;;
    'registry/--schema-context') REPLY='' ;;
    'registry schema/--schema-context') REPLY='' ;;
    'registry schema create/--schema') REPLY=@files ;;
    'registry schema create/--type') REPLY='avro protobuf json' ;;
    'registry schema create/--references') REPLY='' ;;
    'registry schema create/--id') REPLY='' ;;
    'registry schema create/--schema-version') REPLY='' ;;
    'registry schema create/--metadata' | 'registry schema create/-p') REPLY='' ;;
    'registry schema create/--schema-context') REPLY='' ;;
    'registry schema get/--schema-version') REPLY='' ;;
    'registry schema get/--id') REPLY='' ;;
    'registry schema get/--schema') REPLY=@files ;;
    'registry schema get/--type') REPLY='avro protobuf json' ;;
    'registry schema get/--references') REPLY='' ;;
    'registry schema get/--schema-context') REPLY='' ;;
    'registry schema list/--schema-context') REPLY='' ;;
    'registry schema diff/--schema-context') REPLY='' ;;
    'registry schema example/--schema-version') REPLY='' ;;
    'registry schema example/--schema-type') REPLY='' ;;
    'registry schema example/--schema-context') REPLY='' ;;
    'registry schema check-compatibility/--schema') REPLY=@files ;;
    'registry schema check-compatibility/--schema-version') REPLY='' ;;
    'registry schema check-compatibility/--type') REPLY='avro protobuf json' ;;
    'registry schema check-compatibility/--references') REPLY='' ;;
    'registry schema check-compatibility/--schema-context') REPLY='' ;;
    'registry schema references/--schema-version') REPLY='' ;;
    'registry schema references/--schema-context') REPLY='' ;;
    'registry schema delete/--schema-version') REPLY='' ;;
    'registry schema delete/--schema-context') REPLY='' ;;
    'registry subject/--schema-context') REPLY='' ;;
    'registry subject list/--schema-context') REPLY='' ;;
    'registry subject delete/--schema-context') REPLY='' ;;
    'registry compatibility-level/--schema-context') REPLY='' ;;
    'registry compatibility-level get/--schema-context') REPLY='' ;;
    'registry compatibility-level set/--level') REPLY='BACKWARD BACKWARD_TRANSITIVE FORWARD FORWARD_TRANSITIVE FULL FULL_TRANSITIVE NONE' ;;
    'registry compatibility-level set/--schema-context') REPLY='' ;;
    'registry compatibility-level reset/--schema-context') REPLY='' ;;
    'registry mode/--schema-context') REPLY='' ;;
    'registry mode get/--schema-context') REPLY='' ;;
    'registry mode set/--mode') REPLY='READONLY READWRITE IMPORT FORWARD READONLY_OVERRIDE' ;;
    'registry mode set/--schema-context') REPLY='' ;;
    'registry mode reset/--schema-context') REPLY='' ;;
    'profile create/--set' | 'profile create/-s') REPLY='brokers= tls.enabled=true tls.enabled=false tls.insecure_skip_verify=true tls.insecure_skip_verify=false tls.ca=@files tls.cert=@files tls.key=@files tls.server_name= sasl.mechanism=SCRAM-SHA-256 sasl.mechanism=SCRAM-SHA-512 sasl.mechanism=PLAIN sasl.mechanism=OAUTHBEARER sasl.mechanism=AWS_MSK_IAM user= pass admin.hosts= admin.tls.enabled=true admin.tls.enabled=false admin.tls.insecure_skip_verify=true admin.tls.insecure_skip_verify=false admin.tls.ca=@files admin.tls.cert=@files admin.tls.key=@files admin.tls.server_name= admin.user= admin.pass admin.token registry.hosts= registry.tls.enabled=true registry.tls.enabled=false registry.tls.insecure_skip_verify=true registry.tls.insecure_skip_verify=false registry.tls.ca=@files registry.tls.cert=@files registry.tls.key=@files registry.tls.server_name= registry.user= registry.pass registry.token oauth.issuer= oauth.token_url= oauth.grant=client_credentials oauth.grant=device_code oauth.grant=authorization_code oauth.grant=jwt_bearer oauth.grant=aws oauth.grant=azure oauth.grant=google oauth.client_id= oauth.client_secret oauth.client_auth=client_secret_basic oauth.client_auth=client_secret_post oauth.client_auth=private_key_jwt oauth.client_auth=tls_client_auth oauth.client_auth=none oauth.assertion.key=@files oauth.assertion.key_id= oauth.assertion.file=@files oauth.scope= oauth.audience= oauth.resource= oauth.extensions= oauth.token oauth.redirect_port= oauth.insecure_http=true oauth.insecure_http=false oauth.tls.insecure_skip_verify=true oauth.tls.insecure_skip_verify=false oauth.tls.ca=@files oauth.tls.cert=@files oauth.tls.key=@files oauth.tls.server_name= aws.profile= aws.role_arn= aws.region= cloud.client_id= cloud.client_secret cloud.device_client_id= cloud.api_url= cloud.auth_url= cloud.audience= cloud.legacy_url= cloud.insecure_http=true cloud.insecure_http=false globals.command_timeout= globals.dial_timeout= globals.request_timeout_overhead= globals.retry_timeout= globals.fetch_max_wait= globals.proxy= globals.no_default_cluster=true globals.no_default_cluster=false globals.streaming_protocol_request_client_id= globals.prompt= pass.command= pass.file=@files pass.keychain= admin.pass.command= admin.pass.file=@files admin.pass.keychain= admin.token.command= admin.token.file=@files admin.token.keychain= registry.pass.command= registry.pass.file=@files registry.pass.keychain= registry.token.command= registry.token.file=@files registry.token.keychain= oauth.client_secret.command= oauth.client_secret.file=@files oauth.client_secret.keychain= oauth.token.command= oauth.token.file=@files oauth.token.keychain= cloud.client_secret.command= cloud.client_secret.file=@files cloud.client_secret.keychain= description= protected=true protected=false' ;;
    'profile create/--description' | 'profile create/-d') REPLY='' ;;
    'profile create/--from') REPLY=@profiles-or-files ;;
    'profile create/--from-rpk') REPLY=@files ;;
    'profile prompt/--shell') REPLY='bash zsh fish' ;;
    'profile set/--file') REPLY=@files ;;
    'doctor/--report') REPLY=@files ;;
    'sandbox start/--brokers') REPLY='1 3 5' ;;
    'sandbox start/--engine') REPLY='java docker podman simulated' ;;
    'sandbox start/--flavour') REPLY='kafka redpanda' ;;
    'sandbox start/--sasl') REPLY='SCRAM-SHA-256 SCRAM-SHA-512 PLAIN' ;;
    'sandbox start/--kafka-version') REPLY='' ;;
    'sandbox start/--port') REPLY='' ;;
    'sandbox start/--name') REPLY=@sandboxes ;;
    'sandbox status/--name') REPLY=@sandboxes ;;
    'sandbox logs/--lines' | 'sandbox logs/-n') REPLY='' ;;
    'sandbox logs/--name') REPLY=@sandboxes ;;
    'sandbox stop/--name') REPLY=@sandboxes ;;
    'sandbox purge/--name') REPLY=@sandboxes ;;
    *)
      case $2 in
        --config-opt | -X) REPLY=@options ;;
        --profile) REPLY=@profiles ;;
        --config) REPLY=@files ;;
        --broker-config) REPLY=@files ;;
        --format) REPLY='text wide json yaml schema' ;;
        --trace) REPLY=@files ;;
        --color) REPLY='auto always never' ;;
        *) return 1 ;;
      esac
      ;;
  esac
}

_weir_operands() {
  case "$1/$2" in
    'topic produce/'0) REPLY=@topics ;;
    'topic consume/'*) REPLY=@topics ;;
    'topic search/'*) REPLY=@topics ;;
    'topic copy/'0) REPLY=@places ;;
    'topic copy/'*) REPLY=@places ;;
    'topic redrive/'0) REPLY=@topics ;;
    'topic find/'0) REPLY=@topics ;;
    'topic analyze/'*) REPLY=@topics ;;
    'topic trim-prefix/'0) REPLY=@topics ;;
    'topic list/'*) REPLY=@topics ;;
    'topic describe/'*) REPLY=@topics ;;
    'topic describe-storage/'0) REPLY=@admin-topics ;;
    'topic delete/'*) REPLY=@topics ;;
    'topic alter-config/'*) REPLY=@topics ;;
    'topic set-config/'0) REPLY=@topics ;;
    'topic set-config/'*) REPLY='cleanup.policy= cleanup.policy=delete cleanup.policy=compact cleanup.policy=compact,delete compaction.strategy= compression.gzip.level= compression.lz4.level= compression.type= compression.type=producer compression.type=none compression.type=uncompressed compression.type=gzip compression.type=lz4 compression.type=snappy compression.type=zstd compression.zstd.level= confluent.key.schema.validation= confluent.key.subject.name.strategy= confluent.value.schema.validation= confluent.value.subject.name.strategy= delete.retention.ms= file.delete.delay.ms= flush.bytes= flush.messages= flush.ms= follower.replication.throttled.replicas= index.interval.bytes= initial.retention.local.target.bytes= initial.retention.local.target.ms= leader.replication.throttled.replicas= local.retention.bytes= local.retention.ms= max.compaction.lag.ms= max.message.bytes= message.timestamp.after.max.ms= message.timestamp.before.max.ms= message.timestamp.type= message.timestamp.type=CreateTime message.timestamp.type=LogAppendTime min.cleanable.dirty.ratio= min.compaction.lag.ms= min.insync.replicas= preallocate= redpanda.iceberg.delete= redpanda.iceberg.invalid.record.action= redpanda.iceberg.invalid.record.action=drop redpanda.iceberg.invalid.record.action=dlq_table redpanda.iceberg.mode= redpanda.iceberg.partition.spec= redpanda.iceberg.target.lag.ms= redpanda.key.schema.id.validation= redpanda.key.subject.name.strategy= redpanda.leaders.preference= redpanda.remote.allowgaps= redpanda.remote.delete= redpanda.remote.read= redpanda.remote.readreplica= redpanda.remote.recovery= redpanda.remote.write= redpanda.schema.registry.context= redpanda.storage.mode= redpanda.storage.mode=local redpanda.storage.mode=tiered redpanda.storage.mode=cloud redpanda.storage.mode=unset redpanda.storage.mode.impl= redpanda.value.schema.id.validation= redpanda.value.subject.name.strategy= remote.log.copy.disable= remote.log.delete.on.disable= remote.storage.enable= replication.factor= retention.bytes= retention.local.target.bytes= retention.local.target.ms= retention.ms= segment.bytes= segment.index.bytes= segment.jitter.ms= segment.ms= unclean.leader.election.enable= unclean.leader.election.enable=true unclean.leader.election.enable=false write.caching= write.caching=true write.caching=false' ;;
    'topic add-partitions/'*) REPLY=@topics ;;
    'topic reassign plan/'*) REPLY=@topics ;;
    'topic reassign execute/'0) REPLY=@files ;;
    'topic reassign list/'*) REPLY=@topics ;;
    'topic reassign wait/'*) REPLY=@topics ;;
    'topic reassign cancel/'*) REPLY=@topics ;;
    'topic elect-leaders/'*) REPLY=@topics ;;
    'group describe/'*) REPLY=@groups ;;
    'group lag/'*) REPLY=@groups ;;
    'group seek/'*) REPLY=@groups ;;
    'group delete/'*) REPLY=@groups ;;
    'group offset-delete/'0) REPLY=@groups ;;
    'transform pause/'0) REPLY=@transforms ;;
    'transform resume/'0) REPLY=@transforms ;;
    'transform delete/'0) REPLY=@transforms ;;
    'transform logs/'0) REPLY=@transforms ;;
    'cluster info/'*) REPLY=@topics ;;
    'cluster config get/'0) REPLY=@configs ;;
    'cluster config set/'0) REPLY=@configs ;;
    'cluster brokers decommission/'0) REPLY=@admin-brokers ;;
    'cluster brokers decommission-status/'0) REPLY=@admin-brokers ;;
    'cluster brokers recommission/'0) REPLY=@admin-brokers ;;
    'cluster maintenance enable/'0) REPLY=@admin-brokers ;;
    'cluster maintenance disable/'0) REPLY=@admin-brokers ;;
    'cluster restart-check/'0) REPLY=@brokers ;;
    'cluster partitions list/'*) REPLY=@admin-topics ;;
    'cluster partitions move/'*) REPLY=@admin-topics ;;
    'cluster partitions move-status/'*) REPLY=@admin-topics ;;
    'cluster partitions enable/'0) REPLY=@admin-topics ;;
    'cluster partitions disable/'0) REPLY=@admin-topics ;;
    'cluster partitions transfer-leadership/'0) REPLY=@admin-topics ;;
    'cluster storage mount/'0) REPLY=@mountable-topics ;;
    'cluster storage unmount/'0) REPLY=@admin-topics ;;
    'cluster storage status-mount/'0) REPLY=@migrations ;;
    'cluster storage cancel-mount/'0) REPLY=@migrations ;;
    'cluster iceberg status/'*) REPLY=@admin-topics ;;
    'cluster txn abort/'0) REPLY=@topics ;;
    'shadow describe/'0) REPLY=@shadow-links ;;
    'shadow status/'0) REPLY=@shadow-links ;;
    'shadow update/'0) REPLY=@shadow-links ;;
    'shadow failover/'0) REPLY=@shadow-links ;;
    'shadow delete/'0) REPLY=@shadow-links ;;
    'cloud cluster get/'0) REPLY=@cloud-clusters ;;
    'cloud cluster update/'0) REPLY=@cloud-clusters ;;
    'cloud cluster delete/'0) REPLY=@cloud-clusters ;;
    'cloud cluster select/'0) REPLY=@cloud-clusters ;;
    'cloud network get/'0) REPLY=@cloud-networks ;;
    'cloud network delete/'0) REPLY=@cloud-networks ;;
    'cloud resource-group get/'0) REPLY=@resource-groups ;;
    'cloud resource-group delete/'0) REPLY=@resource-groups ;;
    'diff/'*) REPLY=@files ;;
    'apply/'*) REPLY=@files ;;
    'import/'*) REPLY=@files ;;
    'security acl explain/'0) REPLY=@users ;;
    'security acl explain/'1) REPLY='read write create delete alter describe cluster_action describe_configs alter_configs idempotent_write create_tokens describe_tokens two_phase_commit' ;;
    'security user list/'*) REPLY=@users ;;
    'security user update/'0) REPLY=@users ;;
    'security user delete/'*) REPLY=@users ;;
    'security role describe/'0) REPLY=@roles ;;
    'security role assign/'0) REPLY=@roles ;;
    'security role unassign/'0) REPLY=@roles ;;
    'security role delete/'0) REPLY=@roles ;;
    'registry schema create/'0) REPLY=@subjects ;;
    'registry schema get/'0) REPLY=@subjects ;;
    'registry schema list/'*) REPLY=@subjects ;;
    'registry schema diff/'0) REPLY=@subjects ;;
    'registry schema example/'0) REPLY=@subjects ;;
    'registry schema check-compatibility/'0) REPLY=@subjects ;;
    'registry schema references/'0) REPLY=@subjects ;;
    'registry schema delete/'0) REPLY=@subjects ;;
    'registry subject list/'*) REPLY=@subjects ;;
    'registry subject delete/'*) REPLY=@subjects ;;
    'registry compatibility-level get/'*) REPLY=@subjects ;;
    'registry compatibility-level set/'*) REPLY=@subjects ;;
    'registry compatibility-level reset/'*) REPLY=@subjects ;;
    'registry mode get/'*) REPLY=@subjects ;;
    'registry mode set/'*) REPLY=@subjects ;;
    'registry mode reset/'*) REPLY=@subjects ;;
    'profile create/'0) REPLY='' ;;
    'profile create/'*) REPLY='brokers= tls.enabled=true tls.enabled=false tls.insecure_skip_verify=true tls.insecure_skip_verify=false tls.ca=@files tls.cert=@files tls.key=@files tls.server_name= sasl.mechanism=SCRAM-SHA-256 sasl.mechanism=SCRAM-SHA-512 sasl.mechanism=PLAIN sasl.mechanism=OAUTHBEARER sasl.mechanism=AWS_MSK_IAM user= pass admin.hosts= admin.tls.enabled=true admin.tls.enabled=false admin.tls.insecure_skip_verify=true admin.tls.insecure_skip_verify=false admin.tls.ca=@files admin.tls.cert=@files admin.tls.key=@files admin.tls.server_name= admin.user= admin.pass admin.token registry.hosts= registry.tls.enabled=true registry.tls.enabled=false registry.tls.insecure_skip_verify=true registry.tls.insecure_skip_verify=false registry.tls.ca=@files registry.tls.cert=@files registry.tls.key=@files registry.tls.server_name= registry.user= registry.pass registry.token oauth.issuer= oauth.token_url= oauth.grant=client_credentials oauth.grant=device_code oauth.grant=authorization_code oauth.grant=jwt_bearer oauth.grant=aws oauth.grant=azure oauth.grant=google oauth.client_id= oauth.client_secret oauth.client_auth=client_secret_basic oauth.client_auth=client_secret_post oauth.client_auth=private_key_jwt oauth.client_auth=tls_client_auth oauth.client_auth=none oauth.assertion.key=@files oauth.assertion.key_id= oauth.assertion.file=@files oauth.scope= oauth.audience= oauth.resource= oauth.extensions= oauth.token oauth.redirect_port= oauth.insecure_http=true oauth.insecure_http=false oauth.tls.insecure_skip_verify=true oauth.tls.insecure_skip_verify=false oauth.tls.ca=@files oauth.tls.cert=@files oauth.tls.key=@files oauth.tls.server_name= aws.profile= aws.role_arn= aws.region= cloud.client_id= cloud.client_secret cloud.device_client_id= cloud.api_url= cloud.auth_url= cloud.audience= cloud.legacy_url= cloud.insecure_http=true cloud.insecure_http=false globals.command_timeout= globals.dial_timeout= globals.request_timeout_overhead= globals.retry_timeout= globals.fetch_max_wait= globals.proxy= globals.no_default_cluster=true globals.no_default_cluster=false globals.streaming_protocol_request_client_id= globals.prompt= pass.command= pass.file=@files pass.keychain= admin.pass.command= admin.pass.file=@files admin.pass.keychain= admin.token.command= admin.token.file=@files admin.token.keychain= registry.pass.command= registry.pass.file=@files registry.pass.keychain= registry.token.command= registry.token.file=@files registry.token.keychain= oauth.client_secret.command= oauth.client_secret.file=@files oauth.client_secret.keychain= oauth.token.command= oauth.token.file=@files oauth.token.keychain= cloud.client_secret.command= cloud.client_secret.file=@files cloud.client_secret.keychain= description= protected=true protected=false' ;;
    'profile rename-to/'0) REPLY=@profiles ;;
    'profile delete/'*) REPLY=@profiles ;;
    'profile use/'0) REPLY=@profiles ;;
    'profile set/'*) REPLY='brokers= tls.enabled=true tls.enabled=false tls.insecure_skip_verify=true tls.insecure_skip_verify=false tls.ca=@files tls.cert=@files tls.key=@files tls.server_name= sasl.mechanism=SCRAM-SHA-256 sasl.mechanism=SCRAM-SHA-512 sasl.mechanism=PLAIN sasl.mechanism=OAUTHBEARER sasl.mechanism=AWS_MSK_IAM user= pass admin.hosts= admin.tls.enabled=true admin.tls.enabled=false admin.tls.insecure_skip_verify=true admin.tls.insecure_skip_verify=false admin.tls.ca=@files admin.tls.cert=@files admin.tls.key=@files admin.tls.server_name= admin.user= admin.pass admin.token registry.hosts= registry.tls.enabled=true registry.tls.enabled=false registry.tls.insecure_skip_verify=true registry.tls.insecure_skip_verify=false registry.tls.ca=@files registry.tls.cert=@files registry.tls.key=@files registry.tls.server_name= registry.user= registry.pass registry.token oauth.issuer= oauth.token_url= oauth.grant=client_credentials oauth.grant=device_code oauth.grant=authorization_code oauth.grant=jwt_bearer oauth.grant=aws oauth.grant=azure oauth.grant=google oauth.client_id= oauth.client_secret oauth.client_auth=client_secret_basic oauth.client_auth=client_secret_post oauth.client_auth=private_key_jwt oauth.client_auth=tls_client_auth oauth.client_auth=none oauth.assertion.key=@files oauth.assertion.key_id= oauth.assertion.file=@files oauth.scope= oauth.audience= oauth.resource= oauth.extensions= oauth.token oauth.redirect_port= oauth.insecure_http=true oauth.insecure_http=false oauth.tls.insecure_skip_verify=true oauth.tls.insecure_skip_verify=false oauth.tls.ca=@files oauth.tls.cert=@files oauth.tls.key=@files oauth.tls.server_name= aws.profile= aws.role_arn= aws.region= cloud.client_id= cloud.client_secret cloud.device_client_id= cloud.api_url= cloud.auth_url= cloud.audience= cloud.legacy_url= cloud.insecure_http=true cloud.insecure_http=false globals.command_timeout= globals.dial_timeout= globals.request_timeout_overhead= globals.retry_timeout= globals.fetch_max_wait= globals.proxy= globals.no_default_cluster=true globals.no_default_cluster=false globals.streaming_protocol_request_client_id= globals.prompt= pass.command= pass.file=@files pass.keychain= admin.pass.command= admin.pass.file=@files admin.pass.keychain= admin.token.command= admin.token.file=@files admin.token.keychain= registry.pass.command= registry.pass.file=@files registry.pass.keychain= registry.token.command= registry.token.file=@files registry.token.keychain= oauth.client_secret.command= oauth.client_secret.file=@files oauth.client_secret.keychain= oauth.token.command= oauth.token.file=@files oauth.token.keychain= cloud.client_secret.command= cloud.client_secret.file=@files cloud.client_secret.keychain= description= protected=true protected=false' ;;
    'profile unset/'*) REPLY='brokers tls.enabled tls.insecure_skip_verify tls.ca tls.cert tls.key tls.server_name sasl.mechanism user pass admin.hosts admin.tls.enabled admin.tls.insecure_skip_verify admin.tls.ca admin.tls.cert admin.tls.key admin.tls.server_name admin.user admin.pass admin.token registry.hosts registry.tls.enabled registry.tls.insecure_skip_verify registry.tls.ca registry.tls.cert registry.tls.key registry.tls.server_name registry.user registry.pass registry.token oauth.issuer oauth.token_url oauth.grant oauth.client_id oauth.client_secret oauth.client_auth oauth.assertion.key oauth.assertion.key_id oauth.assertion.file oauth.scope oauth.audience oauth.resource oauth.extensions oauth.token oauth.redirect_port oauth.insecure_http oauth.tls.insecure_skip_verify oauth.tls.ca oauth.tls.cert oauth.tls.key oauth.tls.server_name aws.profile aws.role_arn aws.region cloud.client_id cloud.client_secret cloud.device_client_id cloud.api_url cloud.auth_url cloud.audience cloud.legacy_url cloud.insecure_http globals.command_timeout globals.dial_timeout globals.request_timeout_overhead globals.retry_timeout globals.fetch_max_wait globals.proxy globals.no_default_cluster globals.streaming_protocol_request_client_id globals.prompt pass.command pass.file pass.keychain admin.pass.command admin.pass.file admin.pass.keychain admin.token.command admin.token.file admin.token.keychain registry.pass.command registry.pass.file registry.pass.keychain registry.token.command registry.token.file registry.token.keychain oauth.client_secret.command oauth.client_secret.file oauth.client_secret.keychain oauth.token.command oauth.token.file oauth.token.keychain cloud.client_secret.command cloud.client_secret.file cloud.client_secret.keychain description protected' ;;
    'profile edit/'0) REPLY=@profiles ;;
    'profile print/'0) REPLY=@profiles ;;
    'profile describe/'0) REPLY=@profiles ;;
    'profile validate/'0) REPLY=@profiles ;;
    'config show/'*) REPLY='brokers tls.enabled tls.insecure_skip_verify tls.ca tls.cert tls.key tls.server_name sasl.mechanism user pass admin.hosts admin.tls.enabled admin.tls.insecure_skip_verify admin.tls.ca admin.tls.cert admin.tls.key admin.tls.server_name admin.user admin.pass admin.token registry.hosts registry.tls.enabled registry.tls.insecure_skip_verify registry.tls.ca registry.tls.cert registry.tls.key registry.tls.server_name registry.user registry.pass registry.token oauth.issuer oauth.token_url oauth.grant oauth.client_id oauth.client_secret oauth.client_auth oauth.assertion.key oauth.assertion.key_id oauth.assertion.file oauth.scope oauth.audience oauth.resource oauth.extensions oauth.token oauth.redirect_port oauth.insecure_http oauth.tls.insecure_skip_verify oauth.tls.ca oauth.tls.cert oauth.tls.key oauth.tls.server_name aws.profile aws.role_arn aws.region cloud.client_id cloud.client_secret cloud.device_client_id cloud.api_url cloud.auth_url cloud.audience cloud.legacy_url cloud.insecure_http globals.command_timeout globals.dial_timeout globals.request_timeout_overhead globals.retry_timeout globals.fetch_max_wait globals.proxy globals.no_default_cluster globals.streaming_protocol_request_client_id globals.prompt pass.command pass.file pass.keychain admin.pass.command admin.pass.file admin.pass.keychain admin.token.command admin.token.file admin.token.keychain registry.pass.command registry.pass.file registry.pass.keychain registry.token.command registry.token.file registry.token.keychain oauth.client_secret.command oauth.client_secret.file oauth.client_secret.keychain oauth.token.command oauth.token.file oauth.token.keychain cloud.client_secret.command cloud.client_secret.file cloud.client_secret.keychain' ;;
    'config explain/'0) REPLY='brokers tls.enabled tls.insecure_skip_verify tls.ca tls.cert tls.key tls.server_name sasl.mechanism user pass admin.hosts admin.tls.enabled admin.tls.insecure_skip_verify admin.tls.ca admin.tls.cert admin.tls.key admin.tls.server_name admin.user admin.pass admin.token registry.hosts registry.tls.enabled registry.tls.insecure_skip_verify registry.tls.ca registry.tls.cert registry.tls.key registry.tls.server_name registry.user registry.pass registry.token oauth.issuer oauth.token_url oauth.grant oauth.client_id oauth.client_secret oauth.client_auth oauth.assertion.key oauth.assertion.key_id oauth.assertion.file oauth.scope oauth.audience oauth.resource oauth.extensions oauth.token oauth.redirect_port oauth.insecure_http oauth.tls.insecure_skip_verify oauth.tls.ca oauth.tls.cert oauth.tls.key oauth.tls.server_name aws.profile aws.role_arn aws.region cloud.client_id cloud.client_secret cloud.device_client_id cloud.api_url cloud.auth_url cloud.audience cloud.legacy_url cloud.insecure_http globals.command_timeout globals.dial_timeout globals.request_timeout_overhead globals.retry_timeout globals.fetch_max_wait globals.proxy globals.no_default_cluster globals.streaming_protocol_request_client_id globals.prompt pass.command pass.file pass.keychain admin.pass.command admin.pass.file admin.pass.keychain admin.token.command admin.token.file admin.token.keychain registry.pass.command registry.pass.file registry.pass.keychain registry.token.command registry.token.file registry.token.keychain oauth.client_secret.command oauth.client_secret.file oauth.client_secret.keychain oauth.token.command oauth.token.file oauth.token.keychain cloud.client_secret.command cloud.client_secret.file cloud.client_secret.keychain' ;;
    'doctor/'0) REPLY='kafka admin registry cloud' ;;
    'completion install/'0) REPLY='bash zsh fish powershell' ;;
    'completion uninstall/'0) REPLY='bash zsh fish powershell' ;;
    'help/'*) REPLY='@commands flags formats offsets where environment exit-codes permissions rpk kcat kaf kafkactl confluent kafka-scripts' ;;
    *) REPLY= ;;
  esac
}

_weir_options='brokers= tls.enabled=true tls.enabled=false tls.insecure_skip_verify=true tls.insecure_skip_verify=false tls.ca=@files tls.cert=@files tls.key=@files tls.server_name= sasl.mechanism=SCRAM-SHA-256 sasl.mechanism=SCRAM-SHA-512 sasl.mechanism=PLAIN sasl.mechanism=OAUTHBEARER sasl.mechanism=AWS_MSK_IAM user= pass= admin.hosts= admin.tls.enabled=true admin.tls.enabled=false admin.tls.insecure_skip_verify=true admin.tls.insecure_skip_verify=false admin.tls.ca=@files admin.tls.cert=@files admin.tls.key=@files admin.tls.server_name= admin.user= admin.pass= admin.token= registry.hosts= registry.tls.enabled=true registry.tls.enabled=false registry.tls.insecure_skip_verify=true registry.tls.insecure_skip_verify=false registry.tls.ca=@files registry.tls.cert=@files registry.tls.key=@files registry.tls.server_name= registry.user= registry.pass= registry.token= oauth.issuer= oauth.token_url= oauth.grant=client_credentials oauth.grant=device_code oauth.grant=authorization_code oauth.grant=jwt_bearer oauth.grant=aws oauth.grant=azure oauth.grant=google oauth.client_id= oauth.client_secret= oauth.client_auth=client_secret_basic oauth.client_auth=client_secret_post oauth.client_auth=private_key_jwt oauth.client_auth=tls_client_auth oauth.client_auth=none oauth.assertion.key=@files oauth.assertion.key_id= oauth.assertion.file=@files oauth.scope= oauth.audience= oauth.resource= oauth.extensions= oauth.token= oauth.redirect_port= oauth.insecure_http=true oauth.insecure_http=false oauth.tls.insecure_skip_verify=true oauth.tls.insecure_skip_verify=false oauth.tls.ca=@files oauth.tls.cert=@files oauth.tls.key=@files oauth.tls.server_name= aws.profile= aws.role_arn= aws.region= cloud.client_id= cloud.client_secret= cloud.device_client_id= cloud.api_url= cloud.auth_url= cloud.audience= cloud.legacy_url= cloud.insecure_http=true cloud.insecure_http=false globals.command_timeout= globals.dial_timeout= globals.request_timeout_overhead= globals.retry_timeout= globals.fetch_max_wait= globals.proxy= globals.no_default_cluster=true globals.no_default_cluster=false globals.streaming_protocol_request_client_id= globals.prompt= pass.command= pass.file=@files pass.keychain= admin.pass.command= admin.pass.file=@files admin.pass.keychain= admin.token.command= admin.token.file=@files admin.token.keychain= registry.pass.command= registry.pass.file=@files registry.pass.keychain= registry.token.command= registry.token.file=@files registry.token.keychain= oauth.client_secret.command= oauth.client_secret.file=@files oauth.client_secret.keychain= oauth.token.command= oauth.token.file=@files oauth.token.keychain= cloud.client_secret.command= cloud.client_secret.file=@files cloud.client_secret.keychain='

_weir_live() {
  local quoted=
  [[ $cur${line[*]} == *[\\\"\']* ]] && quoted=--quoted
  "$program" __complete "$1" $quoted -- "$cur" "${line[@]}" 2>/dev/null </dev/null
}

_weir_offer() {
  local IFS=$' \t\n' candidates=$1 word rest names quoted= head= live=
  local -a words=()
  # After a comma, the next value of a list.
  if [[ $candidates == ,* ]]; then
    candidates=${candidates#,}
    head=${cur%"${cur##*,}"}
    cur=${cur#"$head"}
  fi
  case $candidates in
    @files) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    @profiles-or-files)
      compopt -o filenames
      names=$(_weir_live profiles)
      # readline quotes them like files.
      while IFS= read -r word; do [[ -z $word || $word != "$cur"* ]] || COMPREPLY+=("$word"); done <<< "$names"
      mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$cur")
      return
      ;;
    @directories) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
    @options) candidates="$_weir_options list help" ;;
    @commands*)
      _weir_commands "$about"
      candidates="$REPLY ${candidates#@commands}"
      [[ -z $about ]] || candidates=$REPLY
      ;;
    @*)
      live=1
      word=${candidates%% *}
      rest=${candidates#* }
      names=$(_weir_live "${word#@}")
      # Words that are valid, too.
      [[ $candidates != *' '* ]] || names+=$'\n'${rest// /$'\n'}
      [[ -n $open ]] && cur=${cur#"$open"}
      # Plain names need no quotes, and there may be thousands: a loop would take too long.
      if ! [[ $names =~ [^a-zA-Z0-9._$'\n'-] ]]; then
        COMPREPLY=($(compgen -W "$names" -- "$cur"))
        [[ -z $head ]] || COMPREPLY=("${COMPREPLY[@]/#/$head}")
        cur=$head$cur
        return
      fi
      mapfile -t words <<< "$names"
      ;;
  esac
  if [[ -z $live && $cur == *=* && " $candidates " == *" ${cur%%=*}=@files "* ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "${cur#*=}")
    COMPREPLY=("${COMPREPLY[@]/#/${cur%%=*}=}")
    return
  fi
  [[ -n $live ]] || read -ra words <<< "$candidates"
  local -A seen=()
  for word in "${words[@]}"; do
    # Keys first; values once the key is complete.
    [[ -z $live && $cur != *=* && $word == *=* ]] && word=${word%%=*}=
    # Such names can have characters that the shell would interpret.
    quoted=$word
    if [[ -n $open ]]; then
      # In open quotes, nothing is escaped, and readline closes them.
      [[ $word == *"$open"* || ( $open == '"' && $word == *[\\\$\`]* ) ]] && continue
    elif [[ -n $live && $word == *[!a-zA-Z0-9._-]* ]]; then
      printf -v quoted %q "$word"
    fi
    if [[ ( $word == "$cur"* || $quoted == "$cur"* ) && -n $word && -z ${seen[$word]-} ]]; then
      seen[$word]=1
      COMPREPLY+=("$head$quoted")
    fi
  done
  cur=$head$cur
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace
}

_weir() {
  local -a words=() line=() alias=()
  local program index word glue rest=$COMP_LINE cur at path= skip= flag= cut= open= about= position=0 REPLY
  COMPREPLY=()
  # bash splits words at = and : and @, weir at spaces alone.
  for ((index = 0; index < ${#COMP_WORDS[@]}; index++)); do
    word=${COMP_WORDS[index]}
    glue=
    if [[ $rest == [[:space:]]* ]]; then
      # An empty word stands between two spaces.
      rest=${rest:1}
      [[ -z $word ]] || rest=${rest#"${rest%%[![:space:]]*}"}
    elif [[ $index -gt 0 && $rest == "$word"* ]]; then
      glue=1
    fi
    rest=${rest#"$word"}
    if [[ -n $glue ]]; then words[${#words[@]}-1]+=$word; else words+=("$word"); fi
    if ((index == COMP_CWORD)); then
      at=$((${#words[@]} - 1))
      cur=${words[at]}
    fi
  done
  # bash does not expand aliases for completion.
  read -ra alias <<< "${BASH_ALIASES[${words[0]}]-}"
  if ((${#alias[@]} > 0)); then
    words=("${alias[@]}" "${words[@]:1}")
    at=$((at + ${#alias[@]} - 1))
  fi
  program=${words[0]}
  line=("${words[@]:1:at-1}" "${words[@]:at+1}")
  [[ $cur == [\"\']* ]] && open=${cur:0:1}
  for ((index = 1; index < at; index++)); do
    word=${words[index]}
    flag=
    if [[ -n $skip ]]; then
      skip=
    elif [[ $word == -* ]]; then
      if [[ $word != *=* ]] && _weir_value "$path" "$word"; then
        skip=1
        flag=$word
      fi
    elif _weir_step "$path" "$word"; then
      path=$REPLY
    else
      # For arguments that are commands themselves.
      if _weir_step "$about" "$word"; then about=$REPLY; else about+=" $word"; fi
      position=$((position + 1))
    fi
  done
  if [[ -n $flag ]] && _weir_value "$path" "$flag"; then
    _weir_offer "$REPLY"
  elif [[ $cur == --*=* ]] && _weir_value "$path" "${cur%%=*}"; then
    cut=${cur%%=*}=
    cur=${cur#*=}
    _weir_offer "$REPLY"
    cur=$cut$cur
    COMPREPLY=("${COMPREPLY[@]/#/$cut}")
  elif [[ $cur == -X?* ]]; then
    cur=${cur#-X}
    _weir_offer @options
    COMPREPLY=("${COMPREPLY[@]/#/-X}")
    cur=-X$cur
  elif [[ $cur == -* ]]; then
    _weir_flags "$path"
    _weir_offer "$REPLY"
  else
    _weir_commands "$path"
    [[ -n $REPLY ]] || _weir_operands "$path" "$position"
    _weir_offer "$REPLY"
  fi
  # Everything up to the last of these is on the line already.
  if [[ -z $open && $cur == *[=:@]* ]]; then
    cut=${cur%"${cur##*[=:@]}"}
    COMPREPLY=("${COMPREPLY[@]#"$cut"}")
  fi
}

complete -F _weir weir
# Aliases of weir that are set before this script is read.
for _weir_alias in "${!BASH_ALIASES[@]}"; do
  [[ "${BASH_ALIASES[$_weir_alias]} " == 'weir '* ]] && complete -F _weir -- "$_weir_alias"
done
unset -v _weir_alias
