import { task } from '../task.ts';

export const codeDevops = task('code:devops', 'code', {
  strong:
    'docker*, kubernetes, kubectl, k8s, terraform, ansible, nginx, helm, github actions, gitlab ci, ' +
    'jenkins, prometheus, grafana, systemd, crashloopbackoff, oomkilled, ci pipeline, ci/cd, ' +
    'load balancer, reverse proxy, argocd, cloudformation, bash script, shell script, cron job, cronjob, ' +
    "crontab, iptables, ssh, dns record, certbot, let's encrypt, rolling update, blue green, ingress, " +
    'haproxy, traefik, pulumi, vagrant, aws, gcp, azure, k3s, tls, gitlab, log rotation, logrotate, ' +
    'aws s3, s3, vm, downtime, systemd unit, ssh keeps, firewall, ec2, lambda, deployment, ' +
    'docker-compose, compose file, self-hosted, vpn, dockerize, ci job, build only when, ' +
    'ssl certificate, sonarqube, kafka cluster, autoscal*, rolling, healthcheck, health check, liveness, ' +
    'readiness, proxmox, wireguard, sichere ich, on linux, secrets into, server is full, disk on the, ' +
    "backup mit, rolling update hangs, on the server, can't reach the host, docker network, " +
    'load test our, cloudflare, docker compose, github action, workflow, ghcr, image on tags, my pod, ' +
    'pod is stuck, not ready, notready, cert-manager, letsencrypt, ansible playbook, playbook that, ' +
    'ssh tunnel, bastion, bastion host, public access blocked, security group, nat gateway, route53, ' +
    'load balanc, auto scaling, autoscaling, spot instances, fargate, ecs, eks, gke, aks, cloud run, ' +
    'cloudwatch, datadog, loki, elk stack, log aggregation, p99 latency, disk full, big files fast, ' +
    'out of disk, swap, git, git rebase, git history, from the history, git lfs, ' +
    'remove it from the history, cherry-pick, merge conflict, submodule*, helm values, helm chart, etcd, ' +
    'consul, nomad, jenkinsfile, parallel stages, gitlab-ci.yml, gitlab-ci, ci cache, build cache, ' +
    'secrets to a build, build args, shrink this image, image is, multi-stage, dump the database, ' +
    'pg_dump, keeps 14 days, backup, backups, disaster recovery, runbook, postmortem, post-mortem, ' +
    'incident, on-call, sla, slo, serverless, cold start, iam policy, iam role, canary, blue/green, ' +
    'feature flag rollout, zero downtime, zero-downtime, sicherheitsupdates, unter debian, unter ubuntu, ' +
    'richte ich, einrichten auf dem server, conteneur, pare-feu, ufw, ne démarre pas, contenedor, ' +
    'cómo despliego, desplegar, despliegue, rollback de, 部署, 容器, 端口, 服务器, 占用, 反向代理, 镜像, 监控, サーバー, デプロイ, ' +
    'コンテナ, オートスケーリング, настроить, сервер*, развернуть, контейнер*, резервн*, evicted, ephemeral storage, ' +
    'certificat ssl, vps, access keys, php-fpm, bad gateway, 502, labels for, playbook, limit memory, ' +
    'run a job',
  words:
    'deploy*, pipeline, container*, pod, pods, cluster, node pool, rollback, roll back, alert rule, ' +
    'monitoring, cron, s3 bucket, iam, vpc, namespace, image size, multi stage, rsync, ubuntu, debian, ' +
    'linux, expose, ops, restart, restarts, provision, observability, on call, staging, vault, raid, ' +
    'secrets manager, nodes, which process, stateful, probe, probes, dashboard panel, alerting, ' +
    'user group, adds the user, installs, service which restarts, unit for, healthchecks, registry, ' +
    'artifact, runner, self hosted, proxy_pass, redirect, hostname, dns, subnet, versioning',
  weak:
    'bucket, logs, restart*, config, configuration, port, production, uptime, certificate, disk, server, ' +
    'servers, nacht',
});
