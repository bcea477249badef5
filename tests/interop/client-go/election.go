package main

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

var electionChecks = []check{
	{"leader election: one leads, the other follows after it", elect},
}

func elect(ctx context.Context, stage *stage) error {
	leads := make(chan string, 2)
	candidate := func(ctx context.Context, identity string) (<-chan struct{}, error) {
		elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock: &resourcelock.LeaseLock{
				LeaseMeta:  metav1.ObjectMeta{Name: "leader", Namespace: namespace},
				Client:     stage.clients.CoordinationV1(),
				LockConfig: resourcelock.ResourceLockConfig{Identity: identity},
			},
			LeaseDuration: 6 * time.Second, RenewDeadline: 4 * time.Second, RetryPeriod: 500 * time.Millisecond,
			ReleaseOnCancel: true,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { leads <- identity },
				OnStoppedLeading: func() {},
			},
		})
		if err != nil {
			return nil, err
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			elector.Run(ctx)
		}()
		return done, nil
	}
	first, resign := context.WithCancel(ctx)
	defer resign()
	ended, err := candidate(first, "first")
	if err != nil {
		return err
	}
	if leader, err := within(ctx, leads); err != nil || leader != "first" {
		return fmt.Errorf("%q leads: %v", leader, err)
	}
	second, end := context.WithCancel(ctx)
	defer end()
	if _, err := candidate(second, "second"); err != nil {
		return err
	}
	resign()
	<-ended
	leader, err := within(ctx, leads)
	if err != nil {
		return err
	}
	lease, err := stage.clients.CoordinationV1().Leases(namespace).Get(ctx, "leader", metav1.GetOptions{})
	if err != nil {
		return err
	}
	return expect(leader == "second" && *lease.Spec.HolderIdentity == "second" && *lease.Spec.LeaseTransitions == 1,
		"%q leads, the lease says %v", leader, lease.Spec)
}
