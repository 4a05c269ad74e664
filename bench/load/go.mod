module kubewright/bench/load

go 1.25
